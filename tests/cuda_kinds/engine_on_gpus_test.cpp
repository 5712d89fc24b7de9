// An engine whose devices are GPUs: two where the machine has two, else one that is opened twice.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <atomic>
#include <fstream>
#include <vector>

#include "base/failpoint.h"
#include "base/log.h"
#include "cuda/prover.h"
#include "engine/engine.h"
#include "engine/statements/circuit_catalog.h"
#include "engine/statements/kind_decoder.h"
#include "groth16/cpu_prover.h"
#include "groth16/scratch_folder.h"
#include "groth16/setup.h"
#include "groth16/toy_key.h"
#include "groth16_kinds/golden_input.h"

namespace cuzk::engine {
namespace {

/// A GPU's, that counts its proofs and can be made to fail as one does that fell off the bus.
class CountingProver final : public groth16::Prover {
 public:
  explicit CountingProver(int device, std::size_t memory = std::size_t{3} << 30)
      : prover_({.device = device, .memory = memory}, ThreadPool::shared()) {}

  groth16::Device device() const override { return {name, prover_.device().description}; }
  std::optional<groth16::DeviceMemory> memory() const override { return prover_.memory(); }
  u32 proofs_together(const r1cs::Circuit& circuit) const override { return prover_.proofs_together(circuit); }
  std::vector<groth16::ProofOrError> prove_together(const groth16::ProvingKey& key, const r1cs::Circuit& circuit,
                                                    std::span<const groth16::ProofOfMany> proofs) override {
    if (lost) throw Error(Code::device_lost, "test: it fell off the bus");
    proofs_made += static_cast<int>(proofs.size());
    return prover_.prove_together(key, circuit, proofs);
  }
  std::size_t key_memory(const std::filesystem::path& params) const override { return prover_.key_memory(params); }
  std::size_t proof_memory(const r1cs::Circuit& circuit) const override { return prover_.proof_memory(circuit); }
  std::size_t witness_memory(const r1cs::Witness& witness) const override { return prover_.witness_memory(witness); }
  std::shared_ptr<const groth16::ProvingKey> load_key(const std::filesystem::path& params, groth16::KeyCheck check,
                                                      const groth16::Control& control) override {
    return prover_.load_key(params, check, control);
  }
  groth16::Proof prove(const groth16::Statement& statement, const groth16::Blinding& blinding,
                       const groth16::Control& control) override {
    if (lost) throw Error(Code::device_lost, "test: it fell off the bus");
    ++proofs_made;
    return prover_.prove(statement, blinding, control);
  }

  std::string name;
  std::atomic<bool> lost{false};
  std::atomic<int> proofs_made{0};

 private:
  cuda::CudaProver prover_;
};

class EngineOnGpus : public testing::Test {
 protected:
  EngineOnGpus() {
    configure_log(spdlog::level::off, LogFormat::text);
    first.name = "gpu:0";
    second.name = "gpu:1";
    make_key(input, "wpost-2k", "setup/window-2k.json");
    engine.emplace(decoder, std::vector<EngineDevice>{{first, first_keys}, {second, second_keys}});
    engine->preload("wpost-2k");
  }

  void make_key(const ProofInput& of, const std::string& circuit_id, const std::string& waste) {
    const auto circuit = KindDecoder(circuits).decode(of)->circuit();
    const auto names = key_file_names(circuit_id);
    groth16::setup(*circuit, test::waste_of(test::vector_json(waste)), {folder / names.params, folder / names.vk},
                   ThreadPool::shared(), {});
  }

  JobId submit(const std::string& id, const ProofInput& of) {
    ProofRequest request;
    request.request_id = id;
    request.input = of;
    return engine->submit(std::move(request)).id;
  }

  std::vector<JobResult> run(const std::string& id, int jobs) {
    std::vector<JobId> ids;
    for (int i = 0; i < jobs; ++i) ids.push_back(submit(id + std::to_string(i), input));
    std::vector<JobResult> results;
    for (const JobId& job : ids) results.push_back(*engine->wait(job));
    return results;
  }

  static int other_device() { return cuda::devices().size() > 1 ? 1 : 0; }

  const test::ScratchFolder folder;
  CircuitCatalog circuits;
  KindDecoder decoder{circuits};
  const ProofInput input = test::post_input(Kind::window_post, "post/2KiB/window-v1_2-3");
  CountingProver first{0}, second{other_device()};
  keys::KeyStore first_keys{folder / ".", key_file_names, first}, second_keys{folder / ".", key_file_names, second};
  std::optional<Engine> engine;
};

/// Each proof is verified before it is told.
TEST_F(EngineOnGpus, PartitionsOfProofsAreSharedOut) {
  constexpr int kJobs = 12;
  for (const JobResult& result : run("shared", kJobs)) {
    EXPECT_EQ(result.state, JobState::completed) << result.message;
    EXPECT_EQ(result.proof.size(), 2U * 192);
  }
  EXPECT_EQ(first.proofs_made + second.proofs_made, 2 * kJobs);
  EXPECT_GT(first.proofs_made, 0);
  EXPECT_GT(second.proofs_made, 0);
}

TEST_F(EngineOnGpus, ALostOneLeavesItsWorkToTheOther) {
  first.lost = true;
  for (const JobResult& result : run("lost", 4)) EXPECT_EQ(result.state, JobState::completed) << result.message;
  EXPECT_EQ(first.proofs_made, 0);
  EXPECT_EQ(second.proofs_made, 8);
}

/// What a proof would like to have leaves room for one key: the scheduler sees that before the arena does.
TEST_F(EngineOnGpus, KeysGiveWayWhereADeviceIsSmall) {
  const ProofInput winning = test::post_input(Kind::winning_post, "post/2KiB/winning-1");
  make_key(winning, "winning-2k", "setup/winning-2k.json");
  engine.reset();
  CountingProver large(0);
  const auto circuit = KindDecoder(circuits).decode(winning)->circuit();
  const auto key_of = [&](const char* id) { return large.key_memory(folder / key_file_names(id).params); };
  const std::size_t proof = large.proof_memory(*circuit), key = key_of("winning-2k"), other_key = key_of("wpost-2k");
  CountingProver small(0, (proof + key + other_key / 2) / 63 * 64);
  small.name = "small";
  keys::KeyStore keys(folder / ".", key_file_names, small);
  engine.emplace(decoder, std::vector<EngineDevice>{{small, keys}});
  for (int i = 0; i < 3; ++i) {
    for (const ProofInput& of : {input, winning}) {
      const JobResult result = *engine->wait(submit(fmt::format("{}", i), of));
      EXPECT_EQ(result.state, JobState::completed) << result.message;
    }
    EXPECT_EQ(keys.status().size(), 1U) << fmt::format("{} for a proof, keys of {} and {}, {} in all", proof, key,
                                                       other_key, small.memory()->total);
  }
  engine.reset();
}

#ifdef CUZK_FAILPOINTS
/// Bits of a device's results are wrong from now on, whatever the stage: no wrong proof is told, the device proves no
/// more after four, and the processor makes the proofs that it owes.
class EngineOnErringGpu : public EngineOnGpus, public testing::WithParamInterface<const char*> {
 protected:
  ~EngineOnErringGpu() override { failpoint::disarm_all(); }

  void start_with_spare() {
    engine.reset();
    engine.emplace(decoder,
                   std::vector<EngineDevice>{{.prover = first, .keys = first_keys},
                                             {.prover = processor, .keys = keys, .role = EngineDevice::Role::spare}});
  }

  groth16::CpuProver processor{ThreadPool::shared()};
  keys::KeyStore keys{folder / ".", key_file_names, processor};
};

TEST_P(EngineOnErringGpu, IsLeftForTheProcessor) {
  start_with_spare();
  ASSERT_EQ(run("before", 1).front().state, JobState::completed);
  failpoint::arm(GetParam(), {.action = failpoint::Action::flip});
  for (const JobResult& result : run("erring", 2)) {
    EXPECT_EQ(result.state, JobState::completed) << result.message;
    EXPECT_EQ(result.proof.size(), 2U * 192);
  }
  EXPECT_EQ(engine->devices()[0].state, DeviceLanes::State::lost);
  EXPECT_EQ(engine->devices()[1].state, DeviceLanes::State::active);
  engine.reset();
}

INSTANTIATE_TEST_SUITE_P(Places, EngineOnErringGpu,
                         testing::Values("cuda.flip.witness", "cuda.flip.evaluation", "cuda.flip.quotient",
                                         "cuda.flip.buckets"),
                         [](const auto& place) { return std::string(place.param).substr(10); });
#endif

}  // namespace
}  // namespace cuzk::engine
