// A provider's days on paper.
#include <gtest/gtest.h>

#include "engine/scheduling/simulation.h"

namespace cuzk::engine {
namespace {

using namespace std::chrono_literals;

const SimulatedKind& of(const SimulationReport& report, Kind kind) {
  return report.kinds[static_cast<std::size_t>(kind)];
}

SchedulerPolicy roomy() {
  SchedulerPolicy policy;
  policy.host_budget = u64{128} << 30;
  return policy;
}

TEST(Simulation, ADayOfAProviderOnOneGpuIsInTime) {
  const auto report = simulate({}, ProviderProfile::measured(), {}, roomy());
  EXPECT_TRUE(report.all_in_time());
  EXPECT_NEAR(static_cast<double>(of(report, Kind::porep).jobs), 240, 60);
  EXPECT_EQ(of(report, Kind::window_post).jobs, 48u);
  EXPECT_NEAR(static_cast<double>(of(report, Kind::winning_post).jobs), 360, 70);
  for (const auto& kind : report.kinds) EXPECT_EQ(kind.completed, kind.jobs);
  ASSERT_EQ(report.devices.size(), 1u);
  EXPECT_GT(report.devices[0].busy, 0.03);
  EXPECT_LT(report.devices[0].busy, 0.3);
}

TEST(Simulation, WinningPostStartsAtOnceWhateverRuns) {
  ProviderRates rates;
  rates.sectors_an_hour = 370;  // nearly all that one device can do
  const auto report = simulate(rates, ProviderProfile::measured(), {}, roomy());
  EXPECT_LE(of(report, Kind::winning_post).wait_p99, 100ms);
  EXPECT_LE(of(report, Kind::winning_post).total_p99, 1s);
  EXPECT_EQ(of(report, Kind::winning_post).missed, 0u);
}

TEST(Simulation, OverloadMissesSectorsAndNothingThatIsFined) {
  ProviderRates rates;
  rates.sectors_an_hour = 2'000;
  const auto report = simulate(rates, ProviderProfile::measured(), {}, roomy());
  EXPECT_GT(of(report, Kind::porep).missed + of(report, Kind::porep).refused, 1'000u);
  EXPECT_EQ(of(report, Kind::window_post).missed, 0u);
  EXPECT_EQ(of(report, Kind::winning_post).missed, 0u);
  EXPECT_GT(report.devices[0].busy, 0.8);
}

TEST(Simulation, IsAFunctionOfItsSeed) {
  const auto run = [](u64 seed) {
    ProviderRates rates;
    rates.seed = seed;
    return simulate(rates, ProviderProfile::measured(), {}, roomy());
  };
  EXPECT_EQ(run(7).events, run(7).events);
  EXPECT_EQ(of(run(7), Kind::porep).wait_p99, of(run(7), Kind::porep).wait_p99);
  EXPECT_NE(run(7).events, run(8).events);
}

TEST(Simulation, FindsHowManyGpusALoadNeeds) {
  ProviderRates rates;
  rates.length = 6h;
  const auto profile = ProviderProfile::measured();
  EXPECT_EQ(gpus_needed(rates, profile, {}, roomy(), 8), 1u);
  rates.sectors_an_hour = 1'100;  // 9 s of a device each: 2.8 devices
  const auto needed = gpus_needed(rates, profile, {}, roomy(), 8);
  ASSERT_TRUE(needed);
  EXPECT_GE(*needed, 3u);
  EXPECT_LE(*needed, 5u);
  EXPECT_EQ(gpus_needed(rates, profile, {}, roomy(), 2), std::nullopt);
}

}  // namespace
}  // namespace cuzk::engine
