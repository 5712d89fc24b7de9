#include "groth16/cpu_prover.h"

#include <gtest/gtest.h>

#include <fstream>

#include "expect_error.h"
#include "groth16/key_points.h"
#include "groth16/proof_sums.h"
#include "groth16/quotient.h"
#include "groth16/verifier.h"
#include "hash/sha256.h"
#include "toy_key.h"

namespace cuzk::groth16 {
namespace {

using test::expect_error;
using test::fr_of;
using test::point_of;

BlindingSource fixed_blinding(const nlohmann::json& proof) {
  const Fr r = fr_of(proof["r"]), s = fr_of(proof["s"]);
  return [r, s] { return Blinding::insecure_fixed(r, s); };
}

std::string digest_of(std::span<const Fr> values) {
  Sha256 hash;
  for (const Fr& value : values) hash.update(value.to_bytes());
  return to_hex(hash.finish());
}

template <class Point>
void expect_sum(const Point& found, const nlohmann::json& golden, const char* name) {
  EXPECT_EQ(found.to_affine(), point_of<typename Point::Affine>(golden[name])) << name;
}

class ToyProver : public testing::Test {
 protected:
  ToyProver() : key_(prover_.load_key(files_.params(), KeyCheck::points, {})) {}

  Statement statement(const r1cs::Witness& witness) const { return {*key_, circuit_, witness}; }

  void expect_golden_sums(const KeyPoints& key) const;

  const nlohmann::json& golden_ = test::vector_json("proofs/toy.json");
  const r1cs::Circuit circuit_ = r1cs::compile_toy();
  const test::ToyKey files_;
  CpuProver prover_{ThreadPool::shared()};
  std::shared_ptr<const ProvingKey> key_;
};

TEST_F(ToyProver, EvaluatesAndDividesAsTheVectorsDo) {
  for (std::size_t i = 0; i < golden_["x"].size(); ++i) {
    const auto& partition = golden_["partitions"][i];
    const r1cs::Witness witness = r1cs::toy_witness(fr_of(golden_["x"][i]));
    const auto values = evaluate(circuit_, witness, ThreadPool::shared());
    const std::size_t constraints = circuit_.constraints();
    EXPECT_EQ(digest_of(values.a.span().first(constraints)), partition["sha256"]["a"]);
    EXPECT_EQ(digest_of(values.b.span().first(constraints)), partition["sha256"]["b"]);
    EXPECT_EQ(digest_of(values.c.span().first(constraints)), partition["sha256"]["c"]);
    const auto h = quotient_of(circuit_, witness, ThreadPool::shared(), {});
    const auto golden_h = test::frs_of(partition["h"]);
    EXPECT_TRUE(std::equal(golden_h.begin(), golden_h.end(), h.begin()));
    EXPECT_TRUE(h[7].is_zero());
  }
}

TEST_F(ToyProver, HasTheGoldenSums) {
  expect_golden_sums(*points_in_memory(read_parameters(files_.params(), KeyCheck::points, ThreadPool::shared(), {})));
}
TEST_F(ToyProver, HasTheGoldenSumsWithAKeyInItsFile) {
  expect_golden_sums(*points_in_file(files_.params(), KeyCheck::points));
}

void ToyProver::expect_golden_sums(const KeyPoints& key) const {
  for (std::size_t i = 0; i < golden_["x"].size(); ++i) {
    const auto& golden = golden_["partitions"][i]["sums"];
    const r1cs::Witness witness = r1cs::toy_witness(fr_of(golden_["x"][i]));
    const auto h = quotient_of(circuit_, witness, ThreadPool::shared(), {});
    const G1 h_sum = sum_quotient(key, h.span(), ThreadPool::shared(), {});
    const ProofSums sums = sum_variables(key, circuit_, witness, h_sum, ThreadPool::shared(), {});
    expect_sum(sums.h, golden, "h");
    expect_sum(sums.l, golden, "l");
    expect_sum(sums.a_inputs, golden, "a_inputs");
    expect_sum(sums.a_aux, golden, "a_aux");
    expect_sum(sums.b_g1_inputs, golden, "b_g1_inputs");
    expect_sum(sums.b_g1_aux, golden, "b_g1_aux");
    expect_sum(sums.b_g2_inputs, golden, "b_g2_inputs");
    expect_sum(sums.b_g2_aux, golden, "b_g2_aux");
  }
}

TEST_F(ToyProver, MakesTheGoldenProofs) {
  for (std::size_t i = 0; i < golden_["x"].size(); ++i) {
    const r1cs::Witness witness = r1cs::toy_witness(fr_of(golden_["x"][i]));
    for (const auto& proof : golden_["partitions"][i]["proofs"]) {
      const auto made = prove_verified(prover_, statement(witness), {}, fixed_blinding(proof));
      EXPECT_EQ(to_hex(made.proof.to_bytes()), proof["proof"]);
      EXPECT_EQ(made.attempts, 1u);
    }
  }
}

TEST_F(ToyProver, BlindsTwoProofsOfOneWitnessDifferently) {
  const r1cs::Witness witness = r1cs::toy_witness(Fr::from_u64(3));
  const Proof first = prove_verified(prover_, statement(witness), {}).proof;
  const Proof second = prove_verified(prover_, statement(witness), {}).proof;
  EXPECT_NE(first.a, second.a);
  EXPECT_NE(first.b, second.b);
  EXPECT_NE(first.c, second.c);
}

TEST_F(ToyProver, LetsNoProofOfAnUnsatisfiedWitnessLeave) {
  r1cs::Witness witness;
  witness.add_input(Fr::from_u64(36));
  for (const u64 value : {3, 9, 27}) witness.add_element(Fr::from_u64(value));
  Trace trace;
  expect_error(Code::internal, "none verifies",
               [&] { prove_verified(prover_, statement(witness), {.trace = &trace}); });
  const auto records = trace.records();
  EXPECT_EQ(std::count_if(records.begin(), records.end(), [](const auto& span) { return span.name == "verify"; }), 2);
}

TEST_F(ToyProver, MeasuresEveryStage) {
  const r1cs::Witness witness = r1cs::toy_witness(Fr::from_u64(3));
  Trace trace;
  prove_verified(prover_, statement(witness), {.trace = &trace, .item = 4});
  std::vector<std::string> names;
  for (const auto& [name, ms] : trace.totals_ms()) names.push_back(name);
  EXPECT_THAT(names, testing::ElementsAre("evaluate", "quotient", "msm_h", "msm_l", "msm_a", "msm_b_g1", "msm_b_g2",
                                          "finish", "verify"));
  EXPECT_EQ(trace.records().front().item, 4u);
}

TEST_F(ToyProver, StopsWhenItsCallerGivesUp) {
  const r1cs::Witness witness = r1cs::toy_witness(Fr::from_u64(3));
  std::stop_source source;
  source.request_stop();
  expect_error(Code::cancelled, "proof",
               [&] { prove_verified(prover_, statement(witness), {.stop = source.get_token()}); });
}

TEST_F(ToyProver, RefusesAWitnessOfAnotherShape) {
  r1cs::Witness witness = r1cs::toy_witness(Fr::from_u64(3));
  witness.add_bits(1, 1);
  expect_error(Code::invalid_input, "2 inputs and 4 auxiliary variables, expected 2 and 3",
               [&] { prove_verified(prover_, statement(witness), {}); });
}

TEST_F(ToyProver, RefusesAKeyOfAnotherCircuitOrProver) {
  const r1cs::Witness witness;
  const r1cs::Circuit empty = r1cs::Compiler().finish();
  expect_error(Code::invalid_input, "ic has 2 points, expected 1 for the circuit", [&] {
    prove_verified(prover_, {*key_, empty, witness}, {});
  });

  class OtherKey : public ProvingKey {
    const VerifyingKey& verifying_key() const override { return key_; }
    std::size_t memory() const override { return 0; }
    VerifyingKey key_;
  };
  expect_error(Code::invalid_input, "loaded by another prover", [&] {
    prove_verified(prover_, {OtherKey(), circuit_, witness}, {});
  });
}

TEST_F(ToyProver, KnowsTheMemoryOfAKeyBeforeItIsLoaded) {
  EXPECT_EQ(prover_.key_memory(files_.params()), key_->memory());
  EXPECT_GE(key_->memory(), 3096u);
  expect_error(Code::not_found, "/nowhere", [&] { prover_.key_memory("/nowhere"); });
}

TEST_F(ToyProver, UsesALargeKeyInItsFile) {
  CpuProver frugal(ThreadPool::shared(), 3000);
  const auto in_file = frugal.load_key(files_.params(), KeyCheck::points, {});
  EXPECT_EQ(in_file->checked(), ProvingKey::Checked::when_used);
  EXPECT_EQ(frugal.key_memory(files_.params()), in_file->memory());
  const r1cs::Witness witness = r1cs::toy_witness(Fr::from_u64(3));
  const auto blinding = Blinding::insecure_fixed(Fr::from_u64(5), Fr::from_u64(6));
  const Proof expected = prover_.prove(statement(witness), blinding, {});
  for (int again = 0; again < 2; ++again) {
    EXPECT_EQ(frugal.prove({*in_file, circuit_, witness}, blinding, {}).to_bytes(), expected.to_bytes());
  }
}

TEST_F(ToyProver, NamesAPointThatIsWrongWhenAKeyIsUsedInItsFile) {
  CpuProver frugal(ThreadPool::shared(), 0);
  const auto in_file = frugal.load_key(files_.params(), KeyCheck::points, {});
  std::fstream file(files_.params(), std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(-1, std::ios::end);
  file.put('\x7f');
  file.close();
  const r1cs::Witness witness = r1cs::toy_witness(Fr::from_u64(3));
  expect_error(Code::invalid_input, "b_g2[", [&] { prove_verified(frugal, {*in_file, circuit_, witness}, {}); });
  std::filesystem::resize_file(files_.params(), 2000);
  expect_error(Code::invalid_input, "toy.params", [&] { prove_verified(frugal, {*in_file, circuit_, witness}, {}); });
}

/// Makes a wrong proof first: what a device does that computes wrongly at times.
class ForgetfulProver : public CpuProver {
 public:
  using CpuProver::CpuProver;
  Proof prove(const Statement& statement, const Blinding& blinding, const Control& control) override {
    Proof proof = CpuProver::prove(statement, blinding, control);
    if (!std::exchange(failed_, true)) proof.c = -proof.c;
    return proof;
  }

 private:
  bool failed_ = false;
};

TEST_F(ToyProver, IsAskedASecondTimeWhenAProofDoesNotVerify) {
  ForgetfulProver prover(ThreadPool::shared());
  const r1cs::Witness witness = r1cs::toy_witness(Fr::from_u64(3));
  const auto made = prove_verified(prover, statement(witness), {});
  EXPECT_EQ(made.attempts, 2u);
  EXPECT_TRUE(Verifier(key_->verifying_key()).verify(made.proof, witness.inputs().subspan(1)));
}

}  // namespace
}  // namespace cuzk::groth16
