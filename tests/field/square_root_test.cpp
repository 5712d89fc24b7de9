#include "field/square_root.h"

#include <gtest/gtest.h>

#include "base/hex.h"
#include "field/vector_values.h"
#include "support/random.h"
#include "support/vectors.h"

namespace cuzk {
namespace {

template <class F>
void check_vectors(const nlohmann::json& vectors) {
  for (const auto& v : vectors) {
    const auto root = square_root(parse<F>(v["a"]));
    ASSERT_EQ(root.has_value(), !v["sqrt"].is_null());
    if (root) {
      EXPECT_EQ(*root, parse<F>(v["sqrt"]));
    }
  }
}

TEST(SquareRoot, IsTheRootOfTheGoldenVectors) {
  const auto fields = test::vector_json("primitives/fields.json");
  check_vectors<Fr>(fields["fr"]["vectors"]);
  check_vectors<Fp>(fields["fp"]["vectors"]);
  check_vectors<Fp2>(fields["fp2"]);
}

template <class F>
void check_random_elements(const F& non_residue) {
  test::Random random(6);
  for (int i = 0; i < 200; ++i) {
    const F x = test::random_field<F>(random), square = x.squared();
    const auto root = square_root(square);
    ASSERT_TRUE(root.has_value());
    EXPECT_TRUE(*root == x || *root == -x);
    EXPECT_FALSE(square_root(square * non_residue).has_value());
  }
}

TEST(SquareRoot, ExistsForSquaresOnly) {
  check_random_elements<Fr>(Fr::from_u64(kFrGenerator));
  check_random_elements<Fp>(-Fp::one());
  check_random_elements<Fp2>(Fp2{Fp::one(), Fp::one()});
}

}  // namespace
}  // namespace cuzk
