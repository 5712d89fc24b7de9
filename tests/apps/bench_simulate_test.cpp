// `cuzk-bench simulate`: what it prints, its exit status.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "apps/process.h"
#include "support/vectors.h"

namespace cuzk {
namespace {

using nlohmann::json;
using testing::HasSubstr;

test::Outcome simulate(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), {CUZK_BENCH_PROGRAM, "simulate"});
  return test::run(arguments);
}

TEST(Simulate, TellsHowLongEachKindWaits) {
  const auto outcome = simulate({"--gpus", "2", "--json"});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const json report = json::parse(outcome.out);
  EXPECT_EQ(report.at("gpus"), 2);
  EXPECT_EQ(report.at("all_in_time"), true);
  ASSERT_EQ(report.at("kinds").size(), 4u);
  ASSERT_EQ(report.at("devices").size(), 2u);
  for (const auto& kind : report.at("kinds")) {
    EXPECT_GT(kind.at("jobs"), 0) << kind;
    EXPECT_EQ(kind.at("completed"), kind.at("jobs")) << kind;
    EXPECT_LE(kind.at("wait_p50_ms"), kind.at("wait_p99_ms")) << kind;
    EXPECT_LE(kind.at("wait_p99_ms"), kind.at("wait_max_ms")) << kind;
  }
}

TEST(Simulate, PrintsATable) {
  const auto outcome = simulate({"--winnings-per-hour", "0"});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  for (const char* const text : {"wait p99", "missed", "porep-c2", "window-post", "gpu 0", "% busy"})
    EXPECT_THAT(outcome.out, HasSubstr(text));
}

TEST(Simulate, FindsHowManyGpusAreNeeded) {
  const auto outcome = simulate({"--sectors-per-hour", "1100", "--days", "0.25", "--find", "--json"});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const json report = json::parse(outcome.out);
  EXPECT_GE(report.at("gpus"), 3);
  EXPECT_LE(report.at("gpus"), 5);
  const auto text = simulate({"--find"});
  EXPECT_THAT(text.out, HasSubstr("1 GPU is needed"));
}

TEST(Simulate, TellsWhatEachAmountADayTakes) {
  const auto outcome = simulate({"--tib-per-day", "1,200", "--days", "0.25", "--samples", "3", "--json"});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const json report = json::parse(outcome.out);
  ASSERT_EQ(report.at("loads").size(), 2u);
  EXPECT_EQ(report.at("loads")[0].at("window_partitions"), 1);
  EXPECT_EQ(report.at("loads")[1].at("window_partitions"), 6) << "200 TiB a day, 90 days: 576,000 sectors";
  EXPECT_NEAR(report.at("loads")[1].at("sectors_an_hour").get<double>(), 266.7, 0.1);
  const json& gpus = report.at("measurements")[0];
  EXPECT_EQ(gpus.at("name"), "simulate.gpus");
  EXPECT_EQ(gpus.at("size_of"), "TiB a day");
  EXPECT_EQ(gpus.at("samples").size(), 3u) << "a day each";
}

TEST(Simulate, ASmallerCardTakesLonger) {
  const auto busy = [](const char* card) {
    const auto outcome = simulate({"--card", card, "--sectors-per-hour", "40", "--days", "0.25", "--json"});
    return json::parse(outcome.out, nullptr, false).at("devices")[0].at("busy").get<double>();
  };
  EXPECT_NEAR(busy("24") / busy("139"), 1411.0 / 900, 0.1);
  EXPECT_EQ(simulate({"--card", "7"}).status, 2);
}

TEST(Simulate, MissedDeadlinesAreStatus1) {
  EXPECT_EQ(simulate({"--sectors-per-hour", "1000"}).status, 1);
  const auto outcome = simulate({"--sectors-per-hour", "1000", "--find", "--most", "1", "--days", "0.25"});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.err, HasSubstr("1 GPUs are not enough"));
}

TEST(Simulate, WrongUseIsStatus2) {
  EXPECT_EQ(simulate({"--gpus", "0"}).status, 2);
  EXPECT_EQ(simulate({"--gpus", "2", "--find"}).status, 2);
  EXPECT_EQ(simulate({"--days", "-1"}).status, 2);
  EXPECT_EQ(simulate({"--porep-device-ms", "0"}).status, 2);
}

}  // namespace
}  // namespace cuzk
