#include <algorithm>

#include "server/daemon_fixture.h"

namespace cuzk::server {
namespace {

using testing::HasSubstr;

class WatchTest : public DaemonTest {
 protected:
  static v1::SubmitProofRequest two_partitions() {
    auto request = toy("two");
    request.set_vanilla_proof(toy("", 0).vanilla_proof() + " " + toy("", 1).vanilla_proof());
    return request;
  }
};

TEST_F(WatchTest, WatchingTellsEveryStateUntilTheEnd) {
  start({"--insecure-prove-delay", "300"});
  const auto first = client->submit(toy("first")).job_id();
  const auto id = client->submit(two_partitions()).job_id();
  std::vector<v1::JobState> states;
  std::vector<u32> partitions;
  const auto last = client->watch(id, [&](const v1::JobStatus& status) {
    if (states.empty() || states.back() != status.state()) states.push_back(status.state());
    if (partitions.empty() || partitions.back() != status.partitions_done()) {
      partitions.push_back(status.partitions_done());
    }
    return true;
  });
  EXPECT_THAT(states, testing::AnyOf(testing::ElementsAre(v1::JOB_QUEUED, v1::JOB_RUNNING, v1::JOB_COMPLETED),
                                     testing::ElementsAre(v1::JOB_RUNNING, v1::JOB_COMPLETED)));
  EXPECT_TRUE(std::is_sorted(partitions.begin(), partitions.end()));
  EXPECT_EQ(partitions.back(), 2u);
  EXPECT_EQ(last.percent(), 100);
  EXPECT_EQ(last.request_id(), "two");
  EXPECT_EQ(last.proof_kind(), v1::POREP_SEAL_COMMIT);
  EXPECT_GE(last.running_ms(), 600u);
  EXPECT_EQ(client->watch(first, [](const auto&) { return true; }).state(), v1::JOB_COMPLETED)
      << "watched after its end";
}

TEST_F(WatchTest, WatchingTellsWhyAJobFailedAndThatOneIsNotKnown) {
  start();
  auto request = toy("bad");
  request.set_vanilla_proof("xyz");
  const auto id = client->submit(request).job_id();
  const auto last = client->watch(id, [](const auto&) { return true; });
  EXPECT_EQ(last.state(), v1::JOB_FAILED);
  EXPECT_FALSE(last.error_message().empty());
  error_of(Code::not_found, [&] { client->watch("no such job", [](const auto&) { return true; }); });
}

TEST_F(WatchTest, AWatcherThatGoesLeavesTheJob) {
  start({"--insecure-prove-delay", "300"});
  const auto id = client->submit(toy("a")).job_id();
  client->watch(id, [](const auto&) { return false; });
  EXPECT_EQ(client->await(id).status(), v1::AwaitProofResponse::COMPLETED);
}

TEST_F(WatchTest, ListsJobsInTheOrderOfTheirAcceptance) {
  start({"--insecure-prove-delay", "500"});
  std::vector<std::string> ids;
  for (const char* name : {"a", "b", "c"}) ids.push_back(client->submit(toy(name)).job_id());
  const auto all = client->jobs(false);
  ASSERT_EQ(all.jobs_size(), 3);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(all.jobs(i).job_id(), ids[static_cast<std::size_t>(i)]);
  EXPECT_EQ(client->jobs(false, 2).left_out(), 1u);
  for (const auto& id : ids) client->await(id);
  EXPECT_EQ(client->jobs(false).jobs_size(), 0);
  EXPECT_EQ(client->jobs(true).jobs_size(), 3);
}

TEST_F(WatchTest, DrainRefusesNewJobsUntilItIsTakenBack) {
  start({"--insecure-prove-delay", "300"});
  const auto id = client->submit(toy("a")).job_id();
  EXPECT_EQ(client->drain().unfinished(), 1u);
  EXPECT_THAT(error_of(Code::unavailable, [&] { client->submit(toy("b")); }), HasSubstr("draining"));
  EXPECT_EQ(client->await(id).status(), v1::AwaitProofResponse::COMPLETED) << "what was accepted goes on";
  EXPECT_EQ(client->resume().unfinished(), 0u);
  EXPECT_EQ(client->prove(toy("b")).status(), v1::AwaitProofResponse::COMPLETED);
}

}  // namespace
}  // namespace cuzk::server
