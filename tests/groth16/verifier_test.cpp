#include "groth16/verifier.h"

#include <gtest/gtest.h>

#include "expect_error.h"
#include "golden.h"

namespace cuzk::groth16 {
namespace {

using test::bytes_of;
using test::expect_error;

Verifier verifier_of(const std::string& key) {
  return Verifier(VerifyingKey::from_bytes(bytes_of(test::vector_json(key)["vk"]["bytes"]), key));
}

void check_cases(const std::string& file) {
  const auto vectors = test::vector_json(file);
  const Verifier verifier = verifier_of(vectors["key"]);
  for (const auto& wrong : vectors["cases"]) {
    SCOPED_TRACE(wrong["case"]);
    if (wrong["read"] != "ok") continue;
    const auto proof = Proof::from_bytes(bytes_of(wrong["proof"]));
    const auto inputs = test::frs_of(wrong["public_inputs"]);
    if (wrong["verify"].is_boolean()) {
      EXPECT_EQ(verifier.verify(proof, inputs), wrong["verify"]);
    } else {
      expect_error(Code::invalid_input, "public inputs, expected", [&] { verifier.verify(proof, inputs); });
    }
  }
}

TEST(Verifier, JudgesEveryWrongProofAsTheVectorsDo) {
  check_cases("proofs/wrong-toy.json");
  check_cases("proofs/wrong-window-2k.window-v1_2-3.json");
}

TEST(Verifier, AcceptsTheGoldenProofsOfEveryCircuit) {
  for (const std::string name : {"toy", "porep-2k.s2-v1_1", "snap-2k.from-data", "winning-2k.winning-1",
                                 "window-2k.window-v1-2", "window-2k.window-v1_2-3"}) {
    SCOPED_TRACE(name);
    const auto vectors = test::vector_json("proofs/" + name + ".json");
    const Verifier verifier = verifier_of(vectors["key"]);
    for (const auto& partition : vectors["partitions"]) {
      const auto inputs = test::frs_of(partition["public_inputs"]);
      for (const auto& proof : partition["proofs"]) {
        EXPECT_TRUE(verifier.verify(Proof::from_bytes(bytes_of(proof["proof"])), inputs));
      }
    }
  }
}

std::vector<Claim> toy_claims() {
  std::vector<Claim> claims;
  const auto vectors = test::vector_json("proofs/toy.json");
  for (const auto& partition : vectors["partitions"]) {
    claims.push_back(
        {Proof::from_bytes(bytes_of(partition["proofs"][0]["proof"])), test::frs_of(partition["public_inputs"])});
  }
  return claims;
}

TEST(Verifier, JudgesBatchesAsTheVectorsDo) {
  const Verifier verifier = verifier_of("setup/toy.json");
  const auto all = toy_claims();
  const auto vectors = test::vector_json("proofs/toy.json");
  for (const auto& batch : vectors["batch"]) {
    SCOPED_TRACE(batch["case"]);
    std::vector<Claim> claims;
    for (std::size_t i = 0; i < batch["proofs"].size(); ++i) {
      const std::size_t proof = batch["proofs"][i], inputs = batch["inputs"][i];
      claims.push_back({all[proof].proof, all[inputs].public_inputs});
    }
    EXPECT_EQ(verifier.verify_batch(claims), batch["expected"]);
  }
}

TEST(Verifier, SeesTwoProofsWhoseFaultsCancelInAPlainSum) {
  auto claims = toy_claims();
  const G1 shift = G1::generator();
  claims[0].proof.c = (claims[0].proof.c + shift).to_affine();
  claims[1].proof.c = (claims[1].proof.c - shift).to_affine();
  EXPECT_FALSE(verifier_of("setup/toy.json").verify_batch(claims));
}

TEST(Verifier, SeesOneWrongProofWhereverItIsInALargeBatch) {
  const Verifier verifier = verifier_of("setup/toy.json");
  const auto few = toy_claims();
  std::vector<Claim> claims;
  while (claims.size() < 40) claims.push_back(few[claims.size() % few.size()]);
  EXPECT_TRUE(verifier.verify_batch(claims));
  for (const std::size_t wrong : {0, 15, 16, 39}) {
    auto altered = claims;
    altered[wrong].proof.c = -altered[wrong].proof.c;
    EXPECT_FALSE(verifier.verify_batch(altered)) << wrong;
    altered[wrong] = claims[wrong];
    altered[wrong].public_inputs[0] += Fr::one();
    EXPECT_FALSE(verifier.verify_batch(altered)) << wrong;
  }
}

TEST(Verifier, RefusesAnEmptyBatchAndNamesAClaimWithTooManyInputs) {
  const Verifier verifier = verifier_of("setup/toy.json");
  expect_error(Code::invalid_input, "empty", [&] { verifier.verify_batch({}); });
  auto claims = toy_claims();
  claims[2].public_inputs.push_back(Fr::one());
  expect_error(Code::invalid_input, "proof 2 of the batch: 2 public inputs, expected 1",
               [&] { verifier.verify_batch(claims); });
}

}  // namespace
}  // namespace cuzk::groth16
