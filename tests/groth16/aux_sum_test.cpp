#include "groth16/aux_sum.h"

#include <gtest/gtest.h>

#include "support/random_points.h"

namespace cuzk::groth16 {
namespace {

template <class A>
class AuxSums : public testing::Test {};
using Affines = testing::Types<G1Affine, G2Affine>;
TYPED_TEST_SUITE(AuxSums, Affines);

TYPED_TEST(AuxSums, DoNotDependOnTheBlocks) {
  using Curve = typename TypeParam::Curve;
  constexpr std::size_t kCount = 500;
  test::Random random(3);
  const auto points = test::random_points<TypeParam>(kCount, random);
  r1cs::DenseWitness values;
  auto expected = Point<Curve>::infinity();
  for (std::size_t i = 0; i < kCount; ++i) {
    const bool is_element = random() % 3 == 0, is_one = !is_element && random() % 2 == 0;
    values.ones.push_back(is_one);
    if (is_one) expected += points[i];
    if (!is_element) continue;
    values.indices.push_back(static_cast<u32>(i));
    values.scalars.push_back(test::random_field<Fr>(random));
    expected += points[i] * values.scalars.back();
  }
  for (const std::size_t block : {64, 192, 512}) {
    for (const std::size_t enough : {1, 40, 1000}) {
      AuxSum<Curve> sum(values, ThreadPool::shared(), enough);
      for (std::size_t first = 0; first < kCount; first += block) {
        sum.add(first, std::span(points).subspan(first, std::min(block, kCount - first)));
      }
      EXPECT_EQ(sum.finish(), expected) << "blocks of " << block << ", products of " << enough;
    }
  }
}

TYPED_TEST(AuxSums, OfNoVariableIsInfinity) {
  const r1cs::DenseWitness none;
  EXPECT_TRUE(AuxSum<typename TypeParam::Curve>(none, ThreadPool::shared()).finish().is_infinity());
}

}  // namespace
}  // namespace cuzk::groth16
