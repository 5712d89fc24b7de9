#include "curve/split_scalar.h"

#include <gtest/gtest.h>

#include "support/random_points.h"

namespace cuzk {
namespace {

TEST(SplitScalar, TimesAPointIsItsFieldElementTimesThePoint) {
  test::Random random(11);
  for (const u64 low : {u64{0}, u64{1}, ~u64{0}, random()}) {
    for (const u64 high : {u64{0}, u64{1}, ~u64{0}, random()}) {
      const auto p = test::random_point<G1Affine>(random);
      const SplitScalar scalar{low, high};
      EXPECT_EQ(times(p, scalar), p * scalar.to_fr()) << low << " and " << high;
    }
  }
  EXPECT_TRUE(times(G1Affine::infinity(), {random(), random()}).is_infinity());
}

}  // namespace
}  // namespace cuzk
