// An engine whose devices are GPUs: two where the machine has two, else one that is opened twice.
#include <gtest/gtest.h>

#include <atomic>
#include <fstream>
#include <vector>

#include "base/log.h"
#include "cuda/prover.h"
#include "engine/engine.h"
#include "engine/statements/circuit_catalog.h"
#include "engine/statements/kind_decoder.h"
#include "groth16/setup.h"
#include "groth16/toy_key.h"
#include "groth16_kinds/golden_input.h"
#include "groth16/scratch_folder.h"

namespace cuzk::engine {
namespace {

/// A GPU's, that counts its proofs and can be made to fail as one does that fell off the bus.
class CountingProver final : public groth16::Prover {
 public:
  explicit CountingProver(int device)
      : prover_({.device = device, .memory = std::size_t{3} << 30}, ThreadPool::shared()) {}

  groth16::Device device() const override { return {name, prover_.device().description}; }
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
    ++proofs;
    return prover_.prove(statement, blinding, control);
  }

  std::string name;
  std::atomic<bool> lost{false};
  std::atomic<int> proofs{0};

 private:
  cuda::CudaProver prover_;
};

class EngineOnGpus : public testing::Test {
 protected:
  EngineOnGpus() {
    configure_log(spdlog::level::off, LogFormat::text);
    first.name = "gpu:0";
    second.name = "gpu:1";
    const auto circuit = KindDecoder(circuits).decode(input)->circuit();
    const auto names = key_file_names("wpost-2k");
    groth16::setup(*circuit, test::waste_of(test::vector_json("setup/window-2k.json")),
                   {folder / names.params, folder / names.vk}, ThreadPool::shared(), {});
    engine.emplace(decoder, std::vector<EngineDevice>{{first, first_keys}, {second, second_keys}});
    engine->preload("wpost-2k");
  }

  std::vector<JobResult> run(const std::string& id, int jobs) {
    std::vector<JobId> ids;
    for (int i = 0; i < jobs; ++i) {
      ProofRequest request;
      request.request_id = id + std::to_string(i);
      request.input = input;
      ids.push_back(engine->submit(std::move(request)).id);
    }
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
  EXPECT_EQ(first.proofs + second.proofs, 2 * kJobs);
  EXPECT_GT(first.proofs, 0);
  EXPECT_GT(second.proofs, 0);
}

TEST_F(EngineOnGpus, ALostOneLeavesItsWorkToTheOther) {
  first.lost = true;
  for (const JobResult& result : run("lost", 4)) EXPECT_EQ(result.state, JobState::completed) << result.message;
  EXPECT_EQ(first.proofs, 0);
  EXPECT_EQ(second.proofs, 8);
}

}  // namespace
}  // namespace cuzk::engine
