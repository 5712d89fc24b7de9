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
  const msm::FixedBase<Curve> table(base);
  auto scalars = test::random_fields<Fr>(700, random);
  scalars[0] = scalars[699] = Fr::zero();
  scalars[1] = Fr::one();
  scalars[2] = -Fr::one();
  for (u64 i = 0; i < 20; ++i) scalars[3 + i] = Fr::from_u64(1020 + i);
  const auto points = table.multiply(scalars, ThreadPool::shared());
  ASSERT_EQ(points.size(), scalars.size());
  for (std::size_t i = 0; i < points.size(); ++i) EXPECT_EQ(points[i], (base * scalars[i]).to_affine()) << i;
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
