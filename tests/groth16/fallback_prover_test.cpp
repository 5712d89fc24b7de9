#include "groth16/fallback_prover.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "groth16/cpu_prover.h"
#include "groth16/toy_key.h"

namespace cuzk::groth16 {
namespace {

/// The processor's prover under another name, until it is told that its device is lost.
class LosableProver final : public Prover {
 public:
  Device device() const override { return {"cuda:7", "a device that can be lost"}; }
  std::size_t key_memory(const std::filesystem::path& params) const override { return cpu_.key_memory(params); }
  std::size_t proof_memory(const r1cs::Circuit& circuit) const override { return cpu_.proof_memory(circuit); }
  std::shared_ptr<const ProvingKey> load_key(const std::filesystem::path& params, KeyCheck check,
                                             const Control& control) override {
    fail_if_asked();
    return cpu_.load_key(params, check, control);
  }
  Proof prove(const Statement& statement, const Blinding& blinding, const Control& control) override {
    fail_if_asked();
    return cpu_.prove(statement, blinding, control);
  }

  std::optional<Code> failure;

 private:
  void fail_if_asked() const {
    if (failure) throw Error(*failure, "cudaStreamSynchronize: the device is gone");
  }

  CpuProver cpu_{ThreadPool::shared()};
};

class FallbackProverTest : public testing::Test {
 protected:
  std::string prove(const ProvingKey& key) {
    const auto& golden = test::vector_json("proofs/toy.json");
    const auto& proof = golden["partitions"][0]["proofs"][0];
    const auto blinding = Blinding::insecure_fixed(test::fr_of(proof["r"]), test::fr_of(proof["s"]));
    const r1cs::Witness witness = r1cs::toy_witness(test::fr_of(golden["x"][0]));
    return to_hex(prover_.prove({key, circuit_, witness}, blinding, {}).to_bytes());
  }
  static std::string golden_proof() {
    return test::vector_json("proofs/toy.json")["partitions"][0]["proofs"][0]["proof"].get<std::string>();
  }

  const test::ToyKey files_;
  const r1cs::Circuit circuit_ = r1cs::compile_toy();
  LosableProver* first_ = new LosableProver;  // owned by prover_
  int made_ = 0;
  FallbackProver prover_{std::unique_ptr<Prover>(first_), [this] {
                           ++made_;
                           return std::make_unique<CpuProver>(ThreadPool::shared());
                         }};
};

TEST_F(FallbackProverTest, UsesTheFirstWhileItWorks) {
  const auto key = prover_.load_key(files_.params(), KeyCheck::points, {});
  EXPECT_EQ(prove(*key), golden_proof());
  EXPECT_EQ(prover_.device().name, "cuda:7");
  EXPECT_EQ(made_, 0);
}

TEST_F(FallbackProverTest, MakesTheProofThatMetTheLossAndAllLaterOnes) {
  const auto key = prover_.load_key(files_.params(), KeyCheck::points, {});
  first_->failure = Code::device_lost;
  for (int i = 0; i < 3; ++i) EXPECT_EQ(prove(*key), golden_proof());
  EXPECT_EQ(made_, 1);
  EXPECT_EQ(prover_.device().name, "cpu");
  EXPECT_NE(prover_.device().description.find("in place of cuda:7, which is lost"), std::string::npos);
}

TEST_F(FallbackProverTest, KeysAreLoadedByTheOther) {
  first_->failure = Code::device_lost;
  const auto key = prover_.load_key(files_.params(), KeyCheck::points, {});
  EXPECT_EQ(prove(*key), golden_proof());
  EXPECT_EQ(made_, 1);
}

TEST_F(FallbackProverTest, OtherErrorsAreTheCallers) {
  const auto key = prover_.load_key(files_.params(), KeyCheck::points, {});
  for (const Code code : {Code::internal, Code::resource_exhausted, Code::cancelled}) {
    first_->failure = code;
    EXPECT_THROW(prove(*key), Error);
  }
  EXPECT_EQ(made_, 0);
}

TEST_F(FallbackProverTest, RefusesAKeyOfAnotherProver) {
  CpuProver cpu(ThreadPool::shared());
  const auto key = cpu.load_key(files_.params(), KeyCheck::points, {});
  EXPECT_THROW(prove(*key), Error);
}

}  // namespace
}  // namespace cuzk::groth16
