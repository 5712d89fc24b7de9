// Partitions of one job on several machines: who shares, what comes of the parts, and that there is one end.
#include "farm/queue_fixture.h"

namespace cuzk::farm {
namespace {

using engine::PartitionRange;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

class SharingTest : public QueueTest {
 protected:
  void SetUp() override {
    QueueTest::SetUp();
    options.lease = 1h;
    options.key_grace = 1min;
  }

  JobId submit_sector(const std::string& name = "sector", const std::string& circuit = "toy") {
    auto sector = job(name, Priority::normal, circuit);
    sector.partitions = 10;
    return submit(sector);
  }

  /// What a daemon takes at once: its one job, or nothing.
  std::optional<Claimed> take(const std::string& session) {
    const auto claimed = queue(session).claim({{"toy"}, 2, Priority::low});
    EXPECT_LE(claimed.size(), 1u);
    return claimed.empty() ? std::nullopt : std::optional(claimed[0]);
  }

  bool end(const std::string& session, const Claimed& claimed) {
    JobResult result = completed(static_cast<u8>(claimed.only->first));
    result.proof.resize(192 * claimed.only->count, static_cast<u8>(claimed.only->first));
    return queue(session).end(claimed.lease, result);
  }

  JobResult failed(Code code, const std::string& why) {
    JobResult result;
    result.code = code;
    result.message = why;
    return result;
  }

  void all_are_idle(const std::vector<std::string>& sessions) {
    for (const auto& each : sessions) beat(each, {"toy"}, 2);
  }
};

TEST_F(SharingTest, IdleMachinesShareASectorAndItsProofIsInOrder) {
  all_are_idle({"b", "c", "d"});
  const JobId id = submit_sector();
  const auto one = take("b");
  auto two = take("c"), three = take("d");
  ASSERT_TRUE(one && two && three);
  if (two->only->first > three->only->first) std::swap(two, three);
  EXPECT_EQ(one->only, (PartitionRange{0, 3, 10}));
  EXPECT_EQ(two->only, (PartitionRange{3, 3, 10}));
  EXPECT_EQ(three->only, (PartitionRange{6, 4, 10}));
  EXPECT_EQ(queue("b").input(one->digest), "input");
  EXPECT_FALSE(take("b"));
  EXPECT_EQ(queue("a").fetch(id)->daemon, "b, c, d");
  EXPECT_TRUE(end("d", *three)) << "a lease's number counts, whoever brings it";
  EXPECT_TRUE(end("b", *one));
  EXPECT_EQ(state(id), JobState::running) << "one part is missing";
  EXPECT_TRUE(end("c", *two));
  const auto whole = queue("a").fetch(id);
  ASSERT_TRUE(whole->result);
  EXPECT_EQ(whole->result->state, JobState::completed);
  std::vector<u8> expected;
  for (const auto& [byte, count] : {std::pair<u8, std::size_t>{0, 3}, {3, 3}, {6, 4}})
    expected.insert(expected.end(), 192 * count, byte);
  EXPECT_EQ(whole->result->proof, expected);
}

TEST_F(SharingTest, OneMachineProvesAllWhereNobodyIsIdleOrOthersWait) {
  beat("b", {"toy"}, 2);
  submit_sector("nobody is there");
  EXPECT_FALSE(take("b")->only);
  beat("c", {"toy"}, 2);
  submit("busy");
  EXPECT_THAT(claim("c", 1), ElementsAre("busy"));
  submit_sector("the other proves");
  EXPECT_FALSE(take("b")->only);
  beat("d", {"toy"}, 2);
  submit_sector("one of two");
  submit_sector("the other of two");
  EXPECT_THAT(claim("b", 1), ElementsAre("one of two"));
  EXPECT_FALSE(server()->number("select count(*) from cuzk.job where state = 'shared'"));
  options.machines_a_job = 1;
  EXPECT_FALSE(take("b")->only);
}

TEST_F(SharingTest, ThoseThatHoldTheKeyShareWhereSomebodyDoes) {
  beat("b", {"toy"}, 2);
  beat("c", {"snap"}, 2);
  submit_sector("one");
  EXPECT_FALSE(take("b")->only) << "c would have to load the key";
  server()->run("delete from cuzk.job");
  submit_sector("two", "held by nobody");
  EXPECT_EQ(take("b")->only, (PartitionRange{0, 5, 10}));
}

TEST_F(SharingTest, ThePartOfADeadMachineIsProvedByAnother) {
  all_are_idle({"b", "c"});
  const JobId id = submit_sector();
  const auto one = take("b"), two = take("c");
  ASSERT_TRUE(one && two);
  while (server()->number("select (pg_postmaster_start_time() < now() - interval '400 ms')::int") == 0)
    std::this_thread::sleep_for(50ms);
  options.lease = 300ms;
  server()->run("update cuzk.daemon set seen = now() - interval '1 s' where session = 'c'");
  beat("b", {"toy"}, 2);
  EXPECT_EQ(queue("b").sweep(), 1u);
  EXPECT_EQ(state(id), JobState::running);
  const auto again = take("b");
  ASSERT_TRUE(again);
  EXPECT_EQ(again->only, two->only) << "no part is shared once more";
  EXPECT_TRUE(end("b", *again));
  EXPECT_FALSE(end("c", *two));
  EXPECT_TRUE(end("b", *one));
  EXPECT_EQ(state(id), JobState::completed);
}

TEST_F(SharingTest, APartThatIsGivenUpEndsTheJobAndTheOthers) {
  options.max_attempts = 1;
  all_are_idle({"b", "c"});
  const JobId id = submit_sector();
  const auto one = take("b"), two = take("c");
  EXPECT_TRUE(queue("c").give_back(two->lease, "the device is lost"));
  const auto whole = queue("a").fetch(id);
  ASSERT_TRUE(whole->result);
  EXPECT_EQ(whole->result->state, JobState::failed);
  EXPECT_THAT(whole->result->message, testing::AllOf(HasSubstr("partitions 5 to 9"), HasSubstr("the device is lost")));
  EXPECT_FALSE(end("b", *one));
  EXPECT_THAT(beat("b").leases, IsEmpty());
}

TEST_F(SharingTest, WhatAPartCallsWrongIsLookedAtByOneMachineAsAWhole) {
  all_are_idle({"b", "c"});
  const JobId id = submit_sector();
  const auto one = take("b"), two = take("c");
  EXPECT_TRUE(queue("c").end(two->lease, failed(Code::invalid_input, "the request has 12 partitions, not 10")));
  EXPECT_EQ(state(id), JobState::queued);
  EXPECT_FALSE(end("b", *one));
  const auto whole = take("b");
  ASSERT_TRUE(whole);
  EXPECT_EQ(whole->lease.job, id);
  EXPECT_FALSE(whole->only);
  EXPECT_TRUE(queue("b").end(whole->lease, completed(9)));
  EXPECT_EQ(queue("a").fetch(id)->result->proof[0], 9);
}

TEST_F(SharingTest, ACancelReachesAllWhoShare) {
  all_are_idle({"b", "c"});
  const JobId id = submit_sector();
  const auto one = take("b"), two = take("c");
  EXPECT_EQ(queue("a").cancel(id, "by a client"), JobState::running);
  EXPECT_THAT(beat("b").leases, IsEmpty());
  EXPECT_THAT(beat("c").leases, IsEmpty());
  EXPECT_FALSE(end("b", *one));
  EXPECT_EQ(state(id), JobState::cancelled);
}

TEST_F(SharingTest, ItIsOneJobToWhoeverLooks) {
  all_are_idle({"b", "c"});
  const JobId id = submit_sector();
  const auto one = take("b"), two = take("c");
  EXPECT_THAT(queue("a").list(FarmQueue::Which::unfinished, 10), SizeIs(1));
  auto same = job("sector");
  same.priority = Priority::critical;
  EXPECT_EQ(submit(same), id) << "joined";
  for (const char* each : {"b", "c"})
    EXPECT_EQ(beat(each).leases.at(0).priority, Priority::critical) << "parts that machines prove, too";
  EXPECT_TRUE(end("b", *one));
  EXPECT_TRUE(end("c", *two));
  EXPECT_THAT(queue("a").list(FarmQueue::Which::all, 10), SizeIs(1));
  EXPECT_EQ(queue("a").view().completed, 1u);
  EXPECT_EQ(submit(same), id) << "its result is joined too";
}

TEST_F(SharingTest, TheLastPartsOfTwoWhoEndAtOnceEndTheJob) {
  for (int round = 0; round < 30; ++round) {
    all_are_idle({"b", "c"});
    const JobId id = submit_sector("sector " + std::to_string(round));
    const auto one = take("b"), two = take("c");
    ASSERT_TRUE(one && two);
    queue("b"), queue("c");  // made before the threads
    {
      std::jthread other([&] { end("c", *two); });
      end("b", *one);
    }
    ASSERT_EQ(state(id), JobState::completed);
  }
}

}  // namespace
}  // namespace cuzk::farm
