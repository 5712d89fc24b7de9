#include "server/crash_fixture.h"

namespace cuzk::server {
namespace {

using Response = v1::AwaitProofResponse;

class CrashTest : public CrashFixture {};

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

TEST_F(CrashTest, NothingAcceptedIsLostAtRandomMoments) {
  int next = 0;
  for (int round = 0; round < kills(10); ++round) {
    start({"--insecure-prove-delay", "5"});
    const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(random() % 300);
    for (; std::chrono::steady_clock::now() < end; ++next) {
      submit(toy("job " + std::to_string(next), static_cast<std::size_t>(next % 5)));
      look_at_one(1 + random() % 20);
    }
    kill();
  }
  start();
  expect_all_proved();
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
