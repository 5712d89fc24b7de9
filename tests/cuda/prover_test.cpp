#include "cuda/prover.h"

#include <gtest/gtest.h>

#include <fstream>

#include "cuda/known_answer.h"
#include "groth16/cpu_prover.h"
#include "groth16/known_statement.h"
#include "groth16/toy_key.h"

namespace cuzk::cuda {
namespace {

using groth16::Blinding;
using groth16::KeyCheck;

class CudaToyProver : public testing::Test {
 protected:
  CudaToyProver() : key_(prover_.load_key(files_.params(), KeyCheck::points, {})) {}

  const nlohmann::json& golden_ = test::vector_json("proofs/toy.json");
  const r1cs::Circuit circuit_ = r1cs::compile_toy();
  const test::ToyKey files_;
  CudaProver prover_{{.device = 0, .memory = std::size_t{1} << 30}, ThreadPool::shared()};
  std::shared_ptr<const groth16::ProvingKey> key_;
};

TEST_F(CudaToyProver, MakesTheGoldenProofs) {
  for (std::size_t i = 0; i < golden_["x"].size(); ++i) {
    const r1cs::Witness witness = r1cs::toy_witness(test::fr_of(golden_["x"][i]));
    for (const auto& proof : golden_["partitions"][i]["proofs"]) {
      const auto blinding = Blinding::insecure_fixed(test::fr_of(proof["r"]), test::fr_of(proof["s"]));
      EXPECT_EQ(to_hex(prover_.prove({*key_, circuit_, witness}, blinding, {}).to_bytes()), proof["proof"]);
    }
  }
}

TEST_F(CudaToyProver, MakesTheGoldenKey) {
  const auto key = prover_.make_key(circuit_, test::waste_of(test::vector_json("setup/toy.json")), {});
  const r1cs::Witness witness = r1cs::toy_witness(test::fr_of(golden_["x"][0]));
  const auto& proof = golden_["partitions"][0]["proofs"][0];
  const auto blinding = Blinding::insecure_fixed(test::fr_of(proof["r"]), test::fr_of(proof["s"]));
  EXPECT_EQ(to_hex(prover_.prove({*key, circuit_, witness}, blinding, {}).to_bytes()), proof["proof"]);
  EXPECT_EQ(key->verifying_key().to_bytes(), key_->verifying_key().to_bytes());
}

TEST_F(CudaToyProver, LeavesNothingBehind) {
  const std::size_t before = prover_.memory_usage().in_use;
  const r1cs::Witness witness = r1cs::toy_witness(test::fr_of(golden_["x"][0]));
  std::size_t after_first = 0;
  for (int i = 0; i < 10; ++i) {
    prove_verified(prover_, {*key_, circuit_, witness}, {});
    if (i == 0) after_first = prover_.memory_usage().in_use;
  }
  EXPECT_EQ(prover_.memory_usage().in_use, after_first);  // the tables of the domain stay
  EXPECT_GE(after_first, before);
}

TEST_F(CudaToyProver, KnowsTheAnswer) { check_known_answer(prover_); }

TEST_F(CudaToyProver, RefusesAKeyOfAnotherProver) {
  groth16::CpuProver cpu(ThreadPool::shared());
  const auto key = cpu.load_key(files_.params(), KeyCheck::points, {});
  const r1cs::Witness witness = r1cs::toy_witness(Fr::from_u64(3));
  EXPECT_THROW(prover_.prove({*key, circuit_, witness}, Blinding::fresh(), {}), Error);
}

/// Every way to live with little memory gives the same proof.
class FrugalProver : public testing::TestWithParam<std::tuple<MemoryPlan::Quotient, std::size_t>> {};

TEST_P(FrugalProver, MakesTheSameProof) {
  const auto [quotient, tile_points] = GetParam();
  const groth16::KnownStatement known = groth16::known_statement();
  const auto blinding = Blinding::insecure_fixed(Fr::from_u64(5), Fr::from_u64(6));
  const auto proof_of = [&](const MemoryPlan& plan) {
    CudaProver prover({.device = 0, .memory = std::size_t{1} << 30, .plan = plan}, ThreadPool::shared());
    const auto key = prover.make_key(known.circuit, known.waste, {});
    EXPECT_EQ(key->memory() == 0, plan.key == MemoryPlan::Key::streamed);
    return to_hex(prover.prove({*key, known.circuit, known.witness}, blinding, {}).to_bytes());
  };
  const std::string expected = proof_of({});
  for (const MemoryPlan::Key key : {MemoryPlan::Key::resident, MemoryPlan::Key::streamed})
    EXPECT_EQ(proof_of({key, quotient, tile_points}), expected);
}

INSTANTIATE_TEST_SUITE_P(Plans, FrugalProver,
                         testing::Combine(testing::Values(MemoryPlan::Quotient::at_once, MemoryPlan::Quotient::by_side,
                                                          MemoryPlan::Quotient::parked, MemoryPlan::Quotient::on_host),
                                          testing::Values(0, 37, 1024, 1 << 20)));

/// Proofs that share the tiles of a streamed key.
class ProofsTogether : public testing::TestWithParam<std::size_t> {
 protected:
  static groth16::BlindingSource blinding(u64 i) {
    return [i] { return Blinding::insecure_fixed(Fr::from_u64(5 + i), Fr::from_u64(6 + i)); };
  }

  const groth16::KnownStatement known_ = groth16::known_statement();
  CudaProver prover_{{.device = 0, .memory = std::size_t{1} << 30, .plan = {MemoryPlan::Key::streamed, {}, GetParam()}},
                     ThreadPool::shared()};
  const std::shared_ptr<const groth16::ProvingKey> key_ = prover_.make_key(known_.circuit, known_.waste, {});
};

TEST_P(ProofsTogether, AreThoseThatEachIsAlone) {
  const u32 count = prover_.proofs_together(known_.circuit);
  ASSERT_EQ(count, 4U);
  std::vector<groth16::ProofOfMany> proofs;
  for (u32 i = 0; i < count; ++i) proofs.push_back({known_.witness, blinding(i), {}});
  const auto made = prover_.prove_together(*key_, known_.circuit, proofs);
  ASSERT_EQ(made.size(), count);
  for (u32 i = 0; i < count; ++i)
    EXPECT_EQ(std::get<groth16::Proof>(made[i]).to_bytes(),
              prover_.prove({*key_, known_.circuit, known_.witness}, blinding(i)(), {}).to_bytes());
}

TEST_P(ProofsTogether, OneThatIsStoppedDropsOut) {
  std::stop_source stop;
  stop.request_stop();
  const std::vector<groth16::ProofOfMany> proofs{{known_.witness, blinding(0), {}},
                                                 {known_.witness, blinding(1), {.stop = stop.get_token()}},
                                                 {known_.witness, blinding(2), {}}};
  const std::size_t before = prover_.memory_usage().in_use;
  const auto made = prover_.prove_together(*key_, known_.circuit, proofs);
  EXPECT_TRUE(std::holds_alternative<groth16::Proof>(made[0]));
  EXPECT_TRUE(std::holds_alternative<groth16::Proof>(made[2]));
  try {
    std::rethrow_exception(std::get<std::exception_ptr>(made[1]));
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::cancelled);
  }
  prover_.prove({*key_, known_.circuit, known_.witness}, blinding(0)(), {});  // brings what stays
  EXPECT_LE(before, prover_.memory_usage().in_use);
}

TEST_P(ProofsTogether, AResidentKeyHasNothingToShare) {
  CudaProver prover({.device = 0, .memory = std::size_t{1} << 30}, ThreadPool::shared());
  EXPECT_EQ(prover.proofs_together(known_.circuit), 1U);
}

INSTANTIATE_TEST_SUITE_P(Tiles, ProofsTogether, testing::Values(0, 37, 1024));

TEST(FrugalToyProver, StreamsAKeyFromItsFile) {
  const test::ToyKey files;
  const auto& golden = test::vector_json("proofs/toy.json");
  const auto& proof = golden["partitions"][0]["proofs"][0];
  const MemoryPlan plan{.key = MemoryPlan::Key::streamed, .quotient = {}, .tile_points = 2};
  CudaProver prover({.device = 0, .memory = std::size_t{1} << 30, .plan = plan}, ThreadPool::shared());
  for (const KeyCheck check : {KeyCheck::points, KeyCheck::subgroups}) {
    const auto key = prover.load_key(files.params(), check, {});
    const auto blinding = Blinding::insecure_fixed(test::fr_of(proof["r"]), test::fr_of(proof["s"]));
    const r1cs::Witness witness = r1cs::toy_witness(test::fr_of(golden["x"][0]));
    EXPECT_EQ(to_hex(prover.prove({*key, r1cs::compile_toy(), witness}, blinding, {}).to_bytes()), proof["proof"]);
  }
}

std::size_t resident_pages() {
  std::size_t all = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> all >> resident;
  return resident;
}

TEST(CudaProverMemory, StaysAsItIsOverTwoHundredProofs) {
  CudaProver prover({.device = 0, .memory = std::size_t{2} << 30}, ThreadPool::shared());
  const groth16::KnownStatement known = groth16::known_statement();
  const auto key = prover.make_key(known.circuit, known.waste, {});
  const auto prove = [&](int times) {
    for (int i = 0; i < times; ++i) prove_verified(prover, {*key, known.circuit, known.witness}, {});
  };
  prove(50);
  const std::size_t arena = prover.memory_usage().in_use, device = free_memory(0), host = resident_pages();
  prove(200);
  EXPECT_EQ(prover.memory_usage().in_use, arena);
  EXPECT_EQ(free_memory(0), device);
  EXPECT_LE(resident_pages(), host + 256) << "pages of 4 KiB";
}

TEST(CudaProverMemory, TooLittleForAProofIsSaid) {
  const test::ToyKey files;
  CudaProver prover({.device = 0, .memory = 256}, ThreadPool::shared());
  const auto key = prover.load_key(files.params(), KeyCheck::points, {});  // to the host's memory
  try {
    prover.prove({*key, r1cs::compile_toy(), r1cs::toy_witness(Fr::one())}, Blinding::fresh(), {});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::resource_exhausted);
  }
}

TEST(CudaProverDevice, ThatDoesNotExistIsSaid) {
  EXPECT_THROW(CudaProver({.device = 99}, ThreadPool::shared()), Error);
}

}  // namespace
}  // namespace cuzk::cuda
