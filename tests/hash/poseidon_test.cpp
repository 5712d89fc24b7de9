#include "hash/poseidon.h"

#include <gtest/gtest.h>

#include <vector>

#include "base/error.h"
#include "base/hex.h"
#include "hash/vector_values.h"
#include "support/random.h"
#include "support/vectors.h"

namespace cuzk {
namespace {

using nlohmann::json;

TEST(Poseidon, HashesEqualTheVectors) {
  for (const json& set : test::vector_json("primitives/poseidon.json")) {
    const PoseidonConstants& constants = PoseidonConstants::of_arity(set["arity"].get<std::size_t>());
    const Fr tag = element(set["domain_tag"]);
    SCOPED_TRACE(set["name"].get<std::string>() + " of arity " + std::to_string(constants.arity));
    const bool merkle = set["name"] == "merkle";
    EXPECT_EQ(tag, merkle ? poseidon_merkle_tag(constants.arity) : poseidon_randomness_tag());
    for (const json& vector : set["vectors"]) {
      const std::vector<Fr> in = elements(vector["in"]);
      const Fr out = element(vector["out"]);
      EXPECT_EQ(poseidon(constants, tag, in), out);
      EXPECT_EQ(poseidon_reference(constants, tag, in), out);
      EXPECT_EQ(merkle ? poseidon(in) : poseidon_gen_randomness(in[0], in[1]), out);
    }
  }
}

TEST(Poseidon, CompressedFormEqualsThePlainOneForEveryArity) {
  test::Random random(1);
  for (std::size_t arity = 1; arity <= kPoseidonMaxArity; ++arity) {
    const PoseidonConstants& constants = PoseidonConstants::of_arity(arity);
    for (int i = 0; i < 4; ++i) {
      const Fr tag = test::random_field<Fr>(random);
      const std::vector<Fr> in = test::random_fields<Fr>(arity, random);
      EXPECT_EQ(poseidon(constants, tag, in), poseidon_reference(constants, tag, in)) << arity;
    }
  }
}

TEST(Poseidon, CompressedFormEqualsThePlainOneAtTheEdgesOfTheField) {
  const std::vector<Fr> edges{Fr::zero(), Fr::one(), -Fr::one(), Fr::from_montgomery_unchecked(Limbs<4>{{1}}),
                              -Fr::from_montgomery_unchecked(Limbs<4>{{1}})};
  const PoseidonConstants& constants = PoseidonConstants::of_arity(11);
  for (const Fr& tag : edges)
    for (const Fr& edge : edges) {
      const std::vector<Fr> in(11, edge);
      EXPECT_EQ(poseidon(constants, tag, in), poseidon_reference(constants, tag, in));
    }
}

TEST(Poseidon, RefusesAnotherNumberOfInputs) {
  const std::vector<Fr> in(3, Fr::one());
  EXPECT_THROW(poseidon(PoseidonConstants::of_arity(2), Fr::one(), in), Error);
  EXPECT_THROW(poseidon(std::span<const Fr>()), Error);
}

}  // namespace
}  // namespace cuzk
