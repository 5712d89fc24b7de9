#include "msm/add_pairs.h"

#include <algorithm>

#include "msm/msm_support.h"

namespace cuzk {
namespace {

template <class Affine>
class AddPairs : public testing::Test {
 protected:
  using Curve = typename Affine::Curve;

  /// Sums of the neighbours (0, 1), (2, 3) ...
  static std::vector<Affine> sums_of(const std::vector<Affine>& points, Kernels kernels) {
    std::vector<Affine> sums(points.size() / 2);
    std::vector<msm::PairSum<Curve>> pairs;
    for (std::size_t i = 0; i < sums.size(); ++i) pairs.push_back({&points[2 * i], &sums[i]});
    msm::PairScratch scratch;
    msm::add_pairs<Curve>(pairs, scratch, kernels);
    return sums;
  }

  static void check(const std::vector<Affine>& points) {
    for (const Kernels kernels : {Kernels::portable, Kernels::ifma}) {
      if (!is_supported(kernels)) continue;
      const auto sums = sums_of(points, kernels);
      for (std::size_t i = 0; i < sums.size(); ++i) {
        const auto expected = (Point<Curve>(points[2 * i]) + points[2 * i + 1]).to_affine();
        ASSERT_EQ(sums[i], expected) << "pair " << i << " of " << sums.size() << ", kernels " << int(kernels);
      }
    }
  }
};
TYPED_TEST_SUITE(AddPairs, test::Groups, test::GroupNames);

TYPED_TEST(AddPairs, EveryNumberOfPairs) {
  test::Random random(1);
  for (std::size_t pairs = 0; pairs < 40; ++pairs) this->check(test::random_points<TypeParam>(2 * pairs, random));
}

TYPED_TEST(AddPairs, ManyPairs) {
  test::Random random(2);
  auto points = test::random_points<TypeParam>(20000, random);
  std::shuffle(points.begin(), points.end(), random);
  this->check(points);
}

TYPED_TEST(AddPairs, EqualOppositeAndInfinitePointsAmongOthers) {
  test::Random random(3);
  auto points = test::random_points<TypeParam>(200, random);
  for (std::size_t i = 0; i + 7 < points.size(); i += 14) {
    points[i + 1] = points[i];
    points[i + 3] = -points[i + 2];
    points[i + 4] = TypeParam::infinity();
    points[i + 7] = TypeParam::infinity();
    if (i % 28 == 0) points[i + 5] = TypeParam::infinity();
  }
  this->check(points);
}

}  // namespace
}  // namespace cuzk
