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

TEST_F(StressTest, FailuresAreStatus1) {
  takes_toys = false;
  start();
  const auto outcome = stress({"--clients", "2", "--requests", "4"});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(json::parse(outcome.out)["calls"]["failed"], 4);
}

}  // namespace
}  // namespace cuzk::server
