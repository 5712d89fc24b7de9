#include "farm/simulation.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace cuzk::farm {
namespace {

const FarmLoadReport::OfOperation& of(const FarmLoadReport& report, Operation operation) {
  return report.operations.at(static_cast<std::size_t>(operation));
}

TEST(FarmSimulation, EveryJobIsSubmittedClaimedAndEndedOnce) {
  FarmLoad load;
  load.daemons = 20;
  load.jobs_a_day = 20'000;
  load.hours = 4;
  load.busy_factor = 1;
  const auto report = simulate(load, {});
  EXPECT_EQ(of(report, Operation::submit).count, report.jobs);
  EXPECT_GE(of(report, Operation::input).count, of(report, Operation::end).count);
  EXPECT_LE(report.jobs - report.claimed, 100u) << "those of the last minute";
  EXPECT_LT(report.critical_most, std::chrono::seconds(60));
}

TEST(FarmSimulation, HeartbeatsGrowWithDaemonsAndNotWithJobs) {
  FarmLoad load;
  load.hours = 1;
  load.daemons = 100;
  load.jobs_a_day = 100;
  const auto report = simulate(load, {});
  EXPECT_NEAR(of(report, Operation::beat).per_second, 100 / 5, 1);
  EXPECT_NEAR(of(report, Operation::empty_claim).per_second, 100 / 5, 1) << "all are idle";
}

TEST(FarmSimulation, TheSameSeedIsTheSameDay) {
  FarmLoad load;
  load.daemons = 10;
  load.jobs_a_day = 5000;
  load.hours = 1;
  EXPECT_EQ(simulate(load, {}).jobs, simulate(load, {}).jobs);
  load.seed = 2;
  const auto other = simulate(load, {});
  EXPECT_NE(of(other, Operation::fetch).count, 0u);
}

TEST(FarmSimulation, RefusesALoadThatCannotBe) {
  FarmLoad load;
  load.daemons = 0;
  EXPECT_THROW(simulate(load, {}), Error);
  load = {};
  load.busy_factor = 12;
  EXPECT_THROW(simulate(load, {}), Error);
}

}  // namespace
}  // namespace cuzk::farm
