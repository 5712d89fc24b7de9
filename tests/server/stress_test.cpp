// Many clients at once, by `cuzk-bench stress`, against a daemon whose prover takes a set time and gives each input a proof
// of its own.
#include <nlohmann/json.hpp>

#include "server/daemon_fixture.h"

namespace cuzk::server {
namespace {

using nlohmann::json;
using testing::HasSubstr;

class StressTest : public DaemonTest {
 protected:
  StressTest() {
    for (std::size_t i = 0; i < kInputs; ++i) std::ofstream(input(i)) << toy("", i).vanilla_proof();
  }

  std::string input(std::size_t i) const { return folder / ("toy" + std::to_string(i)); }

  test::Outcome stress(const std::vector<std::string>& options) const {
    std::vector<std::string> command{CUZK_BENCH_PROGRAM, "stress", "--connect", address(), "--json"};
    command.insert(command.end(), options.begin(), options.end());
    command.emplace_back("toy");
    for (std::size_t i = 0; i < kInputs; ++i) command.push_back(input(i));
    return test::run(command);
  }

  json report(const std::vector<std::string>& options) const {
    const auto outcome = stress(options);
    EXPECT_EQ(outcome.status, 0) << outcome.out << outcome.err;
    return json::parse(outcome.out, nullptr, false);
  }

  static constexpr std::size_t kInputs = 4;  // the fifth of the vectors is for urgent requests
};

TEST_F(StressTest, EveryClientGetsItsOwnProof) {
  start({"--insecure-replay"});
  const json found = report({"--clients", "50", "--requests", "400"});
  EXPECT_EQ(found["calls"]["answered"]["count"], 400);
  EXPECT_EQ(found["calls"]["failed"], 0);
  EXPECT_EQ(found["distinct_proofs"], kInputs);
  EXPECT_EQ(found["mixed_up"], 0);
  EXPECT_GE(found["status"]["count"], 1);
  EXPECT_GT(found["daemon_bytes"]["most"], 0);
  EXPECT_EQ(client->status().total_proofs_completed(), 400u) << "no request joined another";
}

TEST_F(StressTest, RefusalsAreNoFailuresAndUrgentRequestsGoOn) {
  configuration = "[jobs]\nmax_queued = 5\n";
  start({"--insecure-replay", "--insecure-prove-delay", "5"});
  std::ofstream(folder / "urgent") << toy("", kInputs).vanilla_proof();
  const json found = report({"--clients", "40", "--requests", "400", "--interval", "20", "--urgent", folder / "urgent",
                             "--urgent-interval", "20"});
  const auto answered = found["calls"]["answered"]["count"].get<int>();
  const auto refused = found["calls"]["refused"]["count"].get<int>();
  EXPECT_EQ(answered + refused, 400);
  EXPECT_GT(refused, 0);
  EXPECT_GE(found["urgent"]["answered"]["count"], 1);
  EXPECT_EQ(found["urgent"]["failed"], 0);
}

TEST_F(StressTest, WhatIsOnlySubmittedIsCancelledAtTheEnd) {
  start({"--insecure-prove-delay", "60000"});
  const json found = report({"--clients", "10", "--requests", "100", "--submit-only"});
  EXPECT_EQ(found["calls"]["answered"]["count"], 100);
  EXPECT_LE(client->drain().unfinished(), 2u) << "those that were running are told to stop";
}

TEST_F(StressTest, RequestsArriveAtTheirRateWhateverIsUnderWay) {
  start({"--insecure-replay", "--insecure-prove-delay", "20"});
  const json found = report({"--clients", "4", "--requests", "60", "--rate", "40", "--arrivals", "even"});
  EXPECT_EQ(found["calls"]["answered"]["count"], 60);
  EXPECT_EQ(found["mixed_up"], 0);
  EXPECT_GE(found["seconds"].get<double>(), 1.5) << "the last of sixty is due then";
}

TEST_F(StressTest, KindsComeByTheirWeights) {
  start({"--insecure-replay"});
  const auto outcome = test::run({CUZK_BENCH_PROGRAM, "stress", "--connect", address(), "--clients", "4", "--requests",
                                  "80", "--mix", "toy=" + input(0) + ":3", "--mix", "toy=" + input(1), "--json"});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const json found = json::parse(outcome.out);
  EXPECT_EQ(found["kinds"]["toy"]["count"], 80);
  EXPECT_EQ(found["distinct_proofs"], 2);
  const auto wrong = test::run({CUZK_BENCH_PROGRAM, "stress", "--connect", address(), "--mix", "toy:3"});
  EXPECT_EQ(wrong.status, 2);
  EXPECT_THAT(wrong.err, HasSubstr("expected KIND=FILE:WEIGHT"));
}

TEST_F(StressTest, ARampEndsAtTheKnee) {
  start({"--insecure-replay", "--insecure-prove-delay", "50"});
  const json found = report({"--clients", "8", "--requests", "30", "--rate", "4", "--arrivals", "even", "--ramp",
                             "--ramp-factor", "4", "--ramp-steps", "6"});
  ASSERT_GE(found["steps"].size(), 2u);
  EXPECT_EQ(found["steps"].back()["keeps_up"], false) << "one proof of 50 ms at a time is twenty a second";
  EXPECT_LT(found["knee"].get<double>(), 256);
}

TEST_F(StressTest, ThroughputByTheNumberOfClients) {
  start({"--insecure-replay", "--insecure-prove-delay", "10"});
  const json found = report({"--requests", "12", "--warmup", "3", "--clients", "1,4"});
  ASSERT_EQ(found["steps"].size(), 2u);
  EXPECT_EQ(found["steps"][1]["at"], 4);
  EXPECT_EQ(found["warmup"], 3);
  const json& throughput = found["measurements"][1];
  EXPECT_EQ(throughput["name"], "throughput");
  EXPECT_EQ(throughput["size_of"], "clients");
  EXPECT_GT(throughput["samples"][0], 0);
  EXPECT_EQ(client->status().total_proofs_completed(), 27u) << "twelve for each number, and the warm-up";
  EXPECT_EQ(stress({"--clients", "1,4", "--rate", "5", "--ramp"}).status, 2);
}

TEST_F(StressTest, AnotherDaemonIsMeasuredInTurn) {
  start({"--insecure-replay"});
  const json found = report({"--clients", "2", "--requests", "5", "--against", address(), "--rounds", "2"});
  const json& first = found["measurements"][0];
  EXPECT_EQ(first["name"], "answered");
  EXPECT_EQ(first["samples"].size(), 2u) << "the medians of two rounds";
  EXPECT_EQ(first["baseline"]["of"], address());
  EXPECT_EQ(first["baseline"]["samples"].size(), 2u);
  EXPECT_EQ(client->status().total_proofs_completed(), 20u);
}

TEST_F(StressTest, FailuresAreStatus1) {
  takes_toys = false;
  start();
  const auto outcome = stress({"--clients", "2", "--requests", "4"});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(json::parse(outcome.out)["calls"]["failed"], 4);
}

}  // namespace
}  // namespace cuzk::server
