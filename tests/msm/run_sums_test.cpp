#include "msm/run_sums.h"

#include "msm/msm_support.h"

namespace cuzk {
namespace {

template <class Affine>
class RunSumsOf : public testing::Test {
 protected:
  using Curve = typename Affine::Curve;

  /// Sums the runs both ways.
  static void check(const std::vector<std::vector<Affine>>& runs) {
    msm::RunSums<Curve> sums;
    for (const auto& run : runs) {
      for (const Affine& p : run) sums.push(p);
      sums.end_run();
    }
    const auto found = sums.sum();
    ASSERT_EQ(found.size(), runs.size());
    for (std::size_t i = 0; i < runs.size(); ++i) {
      auto expected = Point<Curve>::infinity();
      for (const Affine& p : runs[i]) expected += p;
      EXPECT_EQ(found[i], expected.to_affine()) << "run " << i;
    }
  }
};
TYPED_TEST_SUITE(RunSumsOf, test::Groups, test::GroupNames);

TYPED_TEST(RunSumsOf, NoRunsAtAll) { this->check({}); }

TYPED_TEST(RunSumsOf, RunsOfEveryLength) {
  test::Random random(1);
  const auto points = test::random_points<TypeParam>(40, random);
  std::vector<std::vector<TypeParam>> runs;
  for (std::size_t length = 0; length <= points.size(); ++length) {
    runs.emplace_back(points.begin(), points.begin() + static_cast<std::ptrdiff_t>(length));
  }
  this->check(runs);
}

TYPED_TEST(RunSumsOf, EveryMixOfEqualOppositeAndInfinitePoints) {
  test::Random random(2);
  const auto p = test::random_point<TypeParam>(random), q = test::random_point<TypeParam>(random);
  const std::vector<TypeParam> choices{p, -p, q, TypeParam::infinity(), (p * Fr::from_u64(2)).to_affine()};
  std::vector<std::vector<TypeParam>> runs;
  for (std::size_t mix = 0; mix < 625; ++mix) {
    runs.push_back({choices[mix % 5], choices[mix / 5 % 5], choices[mix / 25 % 5], choices[mix / 125]});
  }
  this->check(runs);
}

TYPED_TEST(RunSumsOf, OnePointAThousandTimes) {
  test::Random random(3);
  this->check({std::vector<TypeParam>(1000, test::random_point<TypeParam>(random))});
}

TYPED_TEST(RunSumsOf, ClearStartsAfresh) {
  test::Random random(4);
  const auto p = test::random_point<TypeParam>(random);
  msm::RunSums<typename TypeParam::Curve> sums;
  sums.push(p);
  sums.clear();
  sums.push(p);
  sums.push(p);
  sums.end_run();
  const auto found = sums.sum();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0], (p * Fr::from_u64(2)).to_affine());
}

}  // namespace
}  // namespace cuzk
