#include <csignal>
#include <cstdlib>
#include <map>
#include <random>

#include "server/daemon_fixture.h"

namespace cuzk::server {
namespace {

using namespace std::chrono_literals;
using Response = v1::AwaitProofResponse;

/// A daemon with a journal, which is killed and started again.
class CrashTest : public DaemonTest {
 protected:
  CrashTest() { configuration = "[jobs]\njournal = \"" + (folder / "journal").string() + "\"\n"; }

  /// How often the random test kills: a few times here, 200 by hand.
  static int kills() {
    const char* text = std::getenv("CUZK_KILLS");
    return text == nullptr ? 10 : std::atoi(text);
  }

  void kill() {
    daemon->signal(SIGKILL);
    daemon->wait();
    std::filesystem::remove(folder /
                            "s");  // else the client tries it before the daemon listens, and then waits for seconds
  }
};

TEST_F(CrashTest, WhatWasAcceptedIsProvedAfterAKill) {
  start({"--insecure-prove-delay", "60000"});
  std::vector<std::string> ids;
  for (int i = 0; i < 20; ++i) ids.push_back(client->submit(toy("job " + std::to_string(i), i % 5)).job_id());
  kill();
  start();
  for (const auto& id : ids) EXPECT_EQ(client->await(id).status(), Response::COMPLETED) << id;
  EXPECT_EQ(client->status().total_proofs_completed(), ids.size());
}

TEST_F(CrashTest, AResultThatWasToldIsNotMadeAgain) {
  start();
  const auto answer = client->prove(toy("a"));
  ASSERT_EQ(answer.status(), Response::COMPLETED);
  kill();
  start();
  const auto again = client->prove(toy("a"));
  EXPECT_EQ(again.proof(), answer.proof()) << "another proof would have another r and s";
  EXPECT_EQ(again.job_id(), answer.job_id());
  EXPECT_EQ(client->status().total_proofs_completed(), 0u) << "none by this process";
}

/// Clients submit, wait and cancel while the daemon is killed again and again.
TEST_F(CrashTest, NothingAcceptedIsLostAtRandomMoments) {
  std::mt19937 random(20261129);
  std::map<std::string, std::string> accepted;  // job id -> proof; empty: not told yet
  int next = 0;
  for (int round = 0; round < kills(); ++round) {
    start({"--insecure-prove-delay", "5"});
    const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(random() % 300);
    while (std::chrono::steady_clock::now() < end) {
      accepted[client->submit(toy("job " + std::to_string(next), static_cast<std::size_t>(next % 5))).job_id()];
      ++next;
      auto& [id, proof] = *std::next(accepted.begin(), static_cast<long>(random() % accepted.size()));
      const auto answer = client->await(id, 1 + random() % 20);
      if (answer.status() != Response::COMPLETED) continue;
      if (proof.empty()) proof = answer.proof();
      EXPECT_EQ(proof, answer.proof()) << "a result that was told has changed";
    }
    kill();
  }
  start();
  for (auto& [id, proof] : accepted) {
    const auto answer = client->await(id);
    ASSERT_EQ(answer.status(), Response::COMPLETED) << answer.error_message();
    if (!proof.empty()) {
      EXPECT_EQ(answer.proof(), proof);
    }
  }
  EXPECT_FALSE(accepted.empty());
}

TEST_F(CrashTest, TwoDaemonsDoNotShareAJournal) {
  start();
  std::vector<std::string> command{CUZK_PROGRAM,         "serve", "-c",
                                   folder / "cuzk.toml", "-l",    "unix://" + (folder / "other").string()};
  test::Process second(command, folder / "out2", folder / "log2");
  EXPECT_EQ(second.wait(), 1);
  EXPECT_THAT(test::text_of(folder / "log2"), testing::HasSubstr("journal"));
}

}  // namespace
}  // namespace cuzk::server
