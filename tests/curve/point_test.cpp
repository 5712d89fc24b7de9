#include "curve/point.h"

#include <gtest/gtest.h>

#include "curve/g1.h"
#include "curve/g2.h"
#include "curve/normalize.h"
#include "support/random_points.h"

namespace cuzk {
namespace {

template <class Group>
class PointForms : public testing::Test {};
using PointGroups = testing::Types<G1, G2>;
TYPED_TEST_SUITE(PointForms, PointGroups);

TYPED_TEST(PointForms, GeneratorHasOrderR) {
  const TypeParam g = TypeParam::generator();
  EXPECT_TRUE(g.to_affine().is_on_curve());
  EXPECT_TRUE(g.times(Fr::kModulus).is_infinity());
  EXPECT_EQ(g * -Fr::one(), -g);
}

TYPED_TEST(PointForms, NormalizeEqualsToAffine) {
  test::Random random(1);
  std::vector<TypeParam> points;
  for (int i = 0; i < 20; ++i) points.push_back(TypeParam::generator() * test::random_field<Fr>(random));
  points[3] = points[17] = TypeParam::infinity();
  const auto affine = normalize(points);
  for (std::size_t i = 0; i < points.size(); ++i) {
    EXPECT_EQ(affine[i], points[i].to_affine());
    EXPECT_TRUE(affine[i].is_on_curve());
  }
  EXPECT_TRUE(affine[3].is_infinity());
}

TYPED_TEST(PointForms, AdditionIsCompleteForEqualOppositeAndInfinity) {
  test::Random random(2);
  const auto p = test::random_point<typename TypeParam::Affine>(random);
  const TypeParam jacobian = TypeParam(p).doubled() - p;  // p with another z
  for (const TypeParam& q : {TypeParam(p), jacobian}) {
    EXPECT_EQ(q + p, q.doubled());
    EXPECT_EQ(q + jacobian, q.doubled());
    EXPECT_TRUE((q - p).is_infinity());
    EXPECT_TRUE((q - jacobian).is_infinity());
    EXPECT_EQ(q + TypeParam::infinity(), q);
    EXPECT_EQ(TypeParam::infinity() + q, q);
    EXPECT_EQ(q + TypeParam::Affine::infinity(), q);
  }
  EXPECT_EQ(TypeParam::infinity() + p, p);
  EXPECT_TRUE(TypeParam::infinity().doubled().is_infinity());
  EXPECT_TRUE(TypeParam::infinity().to_affine().is_infinity());
}

}  // namespace
}  // namespace cuzk
