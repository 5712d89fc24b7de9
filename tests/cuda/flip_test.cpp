// A device whose results have a wrong bit: none of its proofs verifies, and the next is right again.
#ifdef CUZK_FAILPOINTS
#include "cuda/flip.h"

#include <gtest/gtest.h>

#include "base/failpoint.h"
#include "cuda/prover.h"
#include "groth16/known_statement.h"
#include "groth16/verifier.h"

namespace cuzk::cuda {
namespace {

class FlippedBits : public testing::TestWithParam<const char*> {
 protected:
  static constexpr u32 kMostPasses = 100;

  ~FlippedBits() override { failpoint::disarm_all(); }

  groth16::Proof prove() { return prover_.prove({*key_, known_.circuit, known_.witness}, blinding_, {}); }
  bool verifies(const groth16::Proof& proof) { return verifier_.verify(proof, known_.public_inputs); }

  /// Whether a proof during which the place flips a bit at its pass of this number, from 0, came out wrong or failed.
  bool errs(u32 pass) {
    failpoint::arm(GetParam(), {.action = failpoint::Action::flip, .skip = pass, .times = 1});
    try {
      const groth16::Proof proof = prove();
      const bool is_right = verifies(proof);
      EXPECT_EQ(is_right, proof.to_bytes() == expected_) << "another proof that verifies, or the same that does not";
      return !is_right;
    } catch (const Error&) {
      return true;
    }
  }

  u64 passes() const {
    const auto all = failpoint::passes();
    const auto found = all.find(GetParam());
    return found == all.end() ? 0 : found->second;
  }

  const groth16::KnownStatement known_ = groth16::known_statement();
  const groth16::Blinding blinding_ = groth16::Blinding::insecure_fixed(Fr::from_u64(11), Fr::from_u64(13));
  CudaProver prover_{{.device = 0, .memory = std::size_t{2} << 30}, ThreadPool::shared()};
  const std::shared_ptr<const groth16::ProvingKey> key_ = prover_.make_key(known_.circuit, known_.waste, {});
  const groth16::Verifier verifier_{key_->verifying_key()};
  const groth16::Proof::Bytes expected_ = prove().to_bytes();
};

/// At each of the places' passes in turn: sums in G1 and in G2, of h and of the variables, are products all.
TEST_P(FlippedBits, MakeNoProofThatVerifies) {
  const u64 before = passes();
  prove();
  const u64 in_proof = passes() - before;
  ASSERT_GT(in_proof, 0U);
  ASSERT_LT(in_proof, kMostPasses);
  for (u32 pass = 0; pass < in_proof; ++pass) {
    EXPECT_TRUE(errs(pass)) << "pass " << pass;
    failpoint::disarm_all();
    EXPECT_EQ(prove().to_bytes(), expected_) << "after pass " << pass;
  }
}

INSTANTIATE_TEST_SUITE_P(Places, FlippedBits,
                         testing::Values("cuda.flip.witness", "cuda.flip.bits", "cuda.flip.evaluation",
                                         "cuda.flip.quotient", "cuda.flip.buckets", "cuda.flip.bit_sums"),
                         [](const auto& place) { return std::string(place.param).substr(10); });

}  // namespace
}  // namespace cuzk::cuda
#endif
