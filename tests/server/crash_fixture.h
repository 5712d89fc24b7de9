/// A daemon with a journal, which is killed and started again.
#pragma once

#include <csignal>
#include <cstdlib>
#include <map>
#include <random>

#include "server/daemon_fixture.h"

namespace cuzk::server {

class CrashFixture : public DaemonTest {
 protected:
  CrashFixture() { configuration = "[jobs]\njournal = \"" + (folder / "journal").string() + "\"\n"; }

  /// How often a random test kills: CUZK_KILLS, else `usual`.
  static int kills(int usual) {
    const char* text = std::getenv("CUZK_KILLS");
    return text == nullptr ? usual : std::atoi(text);
  }

  void kill() {
    daemon->signal(SIGKILL);
    daemon->wait();
    std::filesystem::remove(folder /
                            "s");  // else the client tries it before the daemon listens, and then waits for seconds
  }

  /// Accepts a job; it must not be lost from now on.
  void submit(const v1::SubmitProofRequest& request) { accepted[client->submit(request).job_id()]; }

  /// Asks for the result of any job that was accepted, waiting for up to `patience_ms`. One that was told before must be
  /// the same again: another proof would have another r and s.
  void look_at_one(u64 patience_ms) {
    auto& [id, proof] = *std::next(accepted.begin(), static_cast<long>(random() % accepted.size()));
    const auto answer = client->await(id, patience_ms);
    if (answer.status() != v1::AwaitProofResponse::COMPLETED) return;
    if (proof.empty()) proof = answer.proof();
    EXPECT_EQ(proof, answer.proof()) << "a result that was told has changed";
  }

  /// Every job that was accepted has a proof, the one that was told where it was.
  void expect_all_proved() {
    EXPECT_FALSE(accepted.empty());
    for (const auto& [id, proof] : accepted) {
      const auto answer = client->await(id);
      ASSERT_EQ(answer.status(), v1::AwaitProofResponse::COMPLETED) << answer.error_message();
      EXPECT_TRUE(proof.empty() || proof == answer.proof()) << id;
    }
  }

  /// Jobs whose proof nobody has been told.
  std::size_t untold() const {
    return static_cast<std::size_t>(
        std::count_if(accepted.begin(), accepted.end(), [](const auto& job) { return job.second.empty(); }));
  }

  std::mt19937 random{20261129};
  std::map<std::string, std::string> accepted;  ///< job id -> proof; empty: not told yet
};

}  // namespace cuzk::server
