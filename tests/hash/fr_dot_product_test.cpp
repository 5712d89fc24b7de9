#include "hash/fr_dot_product.h"

#include <gtest/gtest.h>

#include "support/random.h"

namespace cuzk {
namespace {

Fr by_terms(const std::vector<Fr>& x, const std::vector<Fr>& y, std::size_t count, std::size_t stride) {
  Fr sum = Fr::zero();
  for (std::size_t i = 0; i < count; ++i) sum += x[i] * y[i * stride];
  return sum;
}

TEST(FrDotProduct, EqualsTheSumOfProducts) {
  test::Random random(2);
  const std::vector<Fr> x = test::random_fields<Fr>(40, random), y = test::random_fields<Fr>(120, random);
  for (std::size_t count = 0; count <= 40; ++count)
    for (const std::size_t stride : {1, 3})
      EXPECT_EQ(dot_product(x.data(), y.data(), count, stride), by_terms(x, y, count, stride)) << count;
}

TEST(FrDotProduct, LargestSumsAreReduced) {
  const std::vector<Fr> largest(40, -Fr::from_montgomery_unchecked(Limbs<4>{{1}}));
  for (std::size_t count = 0; count <= 40; ++count)
    EXPECT_EQ(dot_product(largest.data(), largest.data(), count), by_terms(largest, largest, count, 1)) << count;
}

}  // namespace
}  // namespace cuzk
