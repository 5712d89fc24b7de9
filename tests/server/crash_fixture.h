/// A daemon with a journal, which is killed and started again.
#pragma once

#include <csignal>
#include <cstdio>
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
    ++killed_;
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

  /// Every job that was accepted has a proof, the one that was told where it was; or it is given up, whose daemon ended
  /// so often while it ran that it may be what ends it.
  void expect_all_proved() {
    EXPECT_FALSE(accepted.empty());
    std::size_t given_up = 0;
    for (const auto& [id, proof] : accepted) {
      const auto answer = client->await(id);
      if (proof.empty() && is_given_up(answer)) {
        ++given_up;
        continue;
      }
      ASSERT_EQ(answer.status(), v1::AwaitProofResponse::COMPLETED) << answer.error_message();
      EXPECT_TRUE(proof.empty() || proof == answer.proof()) << id;
    }
    EXPECT_LT(given_up, accepted.size());
    if (given_up != 0) std::printf("figures: %zu of %zu jobs given up\n", given_up, accepted.size());
  }

  /// Jobs whose proof nobody has been told.
  std::size_t untold() const {
    return static_cast<std::size_t>(
        std::count_if(accepted.begin(), accepted.end(), [](const auto& job) { return job.second.empty(); }));
  }

  bool is_given_up(const v1::AwaitProofResponse& answer) const {
    return killed_ >= kEndsOfOneJob && answer.status() == v1::AwaitProofResponse::FAILED &&
           answer.error_message().starts_with("the daemon ended 5 times while this job ran");
  }

  static constexpr int kEndsOfOneJob = 5;

  std::mt19937 random{20261129};
  std::map<std::string, std::string> accepted;  ///< job id -> proof; empty: not told yet

 private:
  int killed_ = 0;
};

}  // namespace cuzk::server
