#include "msm/fixed_base.h"

#include "msm/msm_support.h"
#include "support/stopping.h"

namespace cuzk {
namespace {

template <class Affine>
class FixedBase : public testing::Test {};
TYPED_TEST_SUITE(FixedBase, test::Groups, test::GroupNames);

TYPED_TEST(FixedBase, MultipliesEveryScalar) {
  using Curve = typename TypeParam::Curve;
  test::Random random(1);
  const Point<Curve> base = test::random_point<TypeParam>(random);
  auto scalars = test::random_fields<Fr>(300, random);
  scalars[0] = scalars[299] = Fr::zero();
  scalars[1] = Fr::one();
  scalars[2] = -Fr::one();
  std::vector<TypeParam> expected;
  for (u64 bits = 2; bits <= 17; ++bits) {  // where the digits of some window change their sign, and their neighbours
    for (u64 i = 0; i < 3; ++i) scalars[3 * bits + i] = Fr::from_u64((u64{1} << bits) - 1 + i);
  }
  for (const Fr& scalar : scalars) expected.push_back((base * scalar).to_affine());
  for (const std::size_t guess : {0, 300, 1 << 16, 1 << 24}) {  // windows of 4 bits and of as many as there may be
    const auto points = msm::FixedBase<Curve>(base, guess).multiply(scalars, ThreadPool::shared());
    ASSERT_EQ(points.size(), scalars.size());
    for (std::size_t i = 0; i < points.size(); ++i)
      EXPECT_EQ(points[i], expected[i]) << i << " of a table for " << guess;
  }
}

TYPED_TEST(FixedBase, InfinityAndNoScalars) {
  using Curve = typename TypeParam::Curve;
  const msm::FixedBase<Curve> table(Point<Curve>::infinity());
  EXPECT_TRUE(table.multiply(std::vector<Fr>{}, ThreadPool::shared()).empty());
  const auto points = table.multiply(std::vector<Fr>(3, -Fr::one()), ThreadPool::shared());
  for (const auto& p : points) EXPECT_TRUE(p.is_infinity());
}

TYPED_TEST(FixedBase, EndsWhereItsPoolIsStopped) {
  using Curve = typename TypeParam::Curve;
  const msm::FixedBase<Curve> table(Point<Curve>::generator());
  const std::vector<Fr> scalars(3000, -Fr::one());
  test::expect_stops([&](ThreadPool& pool) { table.multiply(scalars, pool); });
}

}  // namespace
}  // namespace cuzk
