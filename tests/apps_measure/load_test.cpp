#ifdef CUZK_SERVER
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cuzk-bench/open_loop.h"
#include "cuzk-bench/stress_plan.h"

namespace cuzk::apps {
namespace {

using testing::ElementsAre;

TEST(Mix, IsEvenAndHasItsWeights) {
  EXPECT_THAT(weighted_order({3, 1}), ElementsAre(0, 0, 1, 0));
  EXPECT_THAT(weighted_order({1, 1}), ElementsAre(0, 1));
  EXPECT_THAT(weighted_order({1}), ElementsAre(0));
}

double seconds_of(LoadPlan::Arrivals arrivals, int count) {
  ArrivalTimes times(arrivals);
  Clock::duration sum{};
  for (int i = 0; i < count; ++i) sum += times.next();
  return std::chrono::duration<double>(sum).count();
}

TEST(Arrivals, HaveTheirRate) {
  using Pattern = LoadPlan::Arrivals::Pattern;
  EXPECT_NEAR(seconds_of({50, Pattern::even, 0}, 100), 2, 1e-6);
  EXPECT_NEAR(seconds_of({50, Pattern::poisson, 7}, 20'000), 400, 12) << "four standard deviations";
  EXPECT_EQ(seconds_of({50, Pattern::poisson, 7}, 10), seconds_of({50, Pattern::poisson, 7}, 10));
  EXPECT_NE(seconds_of({50, Pattern::poisson, 7}, 10), seconds_of({50, Pattern::poisson, 8}, 10));
}

}  // namespace
}  // namespace cuzk::apps
#endif
