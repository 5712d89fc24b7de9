#include "farm/queue.h"

#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <thread>

#include "base/failpoint.h"
#include "farm/queue_fixture.h"

namespace cuzk::farm {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::UnorderedElementsAre;
using How = Stored::How;

class FarmQueueTest : public QueueTest {};

TEST_F(FarmQueueTest, AJobGoesFromItsAcceptorToAWorkerAndItsResultBack) {
  const JobId id = submit("one");
  EXPECT_EQ(state(id), JobState::queued);
  const auto claimed = queue("b").claim({{"toy"}, 5, Priority::low});
  ASSERT_EQ(claimed.size(), 1u);
  EXPECT_EQ(claimed[0].lease, (Lease{id, 1}));
  EXPECT_EQ(claimed[0].attempts, 1u);
  EXPECT_FALSE(claimed[0].time_left);
  EXPECT_EQ(queue("b").input(claimed[0].digest), "input");
  EXPECT_EQ(state(id), JobState::running);

  auto result = completed();
  result.timings.synthesis = 12ms;
  result.timings.stages_ms = {{"witness", 1.5}};
  EXPECT_TRUE(queue("b").end(claimed[0].lease, result));
  const auto ended = queue("c").fetch(id);
  ASSERT_TRUE(ended && ended->result);
  EXPECT_EQ(ended->result->state, JobState::completed);
  EXPECT_EQ(ended->result->proof, result.proof);
  EXPECT_EQ(ended->result->timings.synthesis, 12ms);
  EXPECT_EQ(ended->result->timings.stages_ms, result.timings.stages_ms);
}

TEST_F(FarmQueueTest, BytesOfAllValuesComeBackAsTheyWere) {
  std::string bytes;
  for (int i = 0; i < 1000; ++i) bytes.push_back(static_cast<char>(i * 7));
  const InputDigest digest{0, 1, 0x5c, 0x27, 255};
  auto first = job("one"), second = job("two");
  first.digest = second.digest = digest;
  queue("a").submit(first, bytes);
  queue("a").submit(second, "of this digest there is one already");
  EXPECT_EQ(queue("b").input(digest), bytes);
  queue("a").keep_file({9});
  EXPECT_EQ(queue("b").input({9}), std::nullopt) << "a file";
  EXPECT_THROW(queue("b").input({8}), Error);
}

TEST_F(FarmQueueTest, TheSameRequestJoinsWhatWaitsRunsOrIsCompleted) {
  const JobId id = submit("one");
  EXPECT_EQ(queue("b").submit(job("one"), "input").id, id);
  claim("b", 1);
  EXPECT_EQ(queue("b").submit(job("one"), "input").how, How::joined);
  queue("b").end(leases["one"], completed());
  EXPECT_EQ(queue("c").submit(job("one"), "input").id, id);
  auto other = job("one");
  other.digest = {1};
  EXPECT_EQ(queue("a").submit(other, "input").how, How::made) << "another input";
}

TEST_F(FarmQueueTest, AfterAFailureOrACancellationItIsANewJob) {
  const JobId id = submit("one");
  claim("b", 1);
  JobResult failed;
  failed.message = "challenge 3 is wr\xc3\xb6ng\n";
  failed.code = Code::invalid_input;
  EXPECT_TRUE(queue("b").end(leases["one"], failed));
  EXPECT_EQ(queue("a").fetch(id)->result->message, "challenge 3 is wr??ng?") << "any encoding takes it";
  EXPECT_EQ(queue("a").fetch(id)->result->code, Code::invalid_input);
  const JobId again = submit("one");
  EXPECT_NE(again, id);
  EXPECT_EQ(queue("a").cancel(again, "by a client"), JobState::queued);
  EXPECT_NE(submit("one"), again);
}

TEST_F(FarmQueueTest, JoiningRaisesPriorityAndDeadline) {
  auto first = job("one", Priority::low);
  first.time_left = 1h;
  submit(first);
  auto second = job("one", Priority::high);
  second.time_left = 2h;
  submit(second);
  const auto claimed = queue("b").claim({{}, 1, Priority::high});
  ASSERT_EQ(claimed.size(), 1u);
  EXPECT_GT(*claimed[0].time_left, 90min);
}

TEST_F(FarmQueueTest, ClaimsGoByPriorityThenDeadlineThenArrival) {
  submit(job("low", Priority::low));
  submit(job("normal 1"));
  submit(job("normal 2"));
  auto near = job("normal with a deadline");
  near.time_left = 1h;
  submit(near);
  submit(job("critical", Priority::critical));
  submit(job("high", Priority::high));
  EXPECT_THAT(claim("b", 3), UnorderedElementsAre("critical", "high", "normal with a deadline"));
  EXPECT_THAT(claim("b", 1), ElementsAre("normal 1"));
  EXPECT_THAT(claim("b", 5), UnorderedElementsAre("normal 2", "low"));
}

TEST_F(FarmQueueTest, AFullWorkerStillTakesWhatIsCritical) {
  submit(job("normal"));
  submit(job("critical", Priority::critical, "a key that nobody has"));
  beat("other", {"a key that nobody has"});
  EXPECT_THAT(claim("b", 5, {"toy"}, Priority::critical), ElementsAre("critical"));
  EXPECT_THAT(claim("b", 5, {"toy"}, Priority::critical), IsEmpty());
}

TEST_F(FarmQueueTest, NobodyGetsWhatAnotherHas) {
  for (int i = 0; i < 40; ++i) submit("job " + std::to_string(i));
  std::vector<std::vector<std::string>> taken(4);
  std::vector<std::jthread> threads;
  for (std::size_t i = 0; i < taken.size(); ++i) {
    threads.emplace_back([this, &mine = taken[i], i] {
      FarmQueue own(options, "worker" + std::to_string(i));
      for (auto got = own.claim({{}, 3, Priority::low}); !got.empty(); got = own.claim({{}, 3, Priority::low}))
        for (const auto& each : got) mine.push_back(each.lease.job);
    });
  }
  threads.clear();
  std::set<std::string> all;
  std::size_t count = 0;
  for (const auto& mine : taken) {
    all.insert(mine.begin(), mine.end());
    count += mine.size();
  }
  EXPECT_EQ(count, 40u);
  EXPECT_EQ(all.size(), 40u);
}

TEST_F(FarmQueueTest, AKeyThatAnotherHoldsIsLeftToItForAWhile) {
  options.key_grace = 1h;
  options.lease = 1h;
  beat("b", {"snap-32g"});
  beat("c", {"porep-32g"});
  submit(job("snap", Priority::normal, "snap-32g"));
  submit(job("porep", Priority::normal, "porep-32g"));
  submit(job("window", Priority::normal, "wpost-32g"));
  EXPECT_THAT(claim("c", 5, {"porep-32g"}), UnorderedElementsAre("porep", "window")) << "nobody has wpost-32g";
  EXPECT_THAT(claim("c", 5, {"porep-32g"}), IsEmpty());
  server()->run("update cuzk.job set queued = queued - interval '2 hours'");
  EXPECT_THAT(claim("c", 5, {"porep-32g"}), ElementsAre("snap"));
}

TEST_F(FarmQueueTest, WhatAHeldKeyServesGoesBeforeAKeyThatHasToBeLoaded) {
  beat("other", {"snap-32g"});
  submit(job("snap", Priority::normal, "snap-32g"));
  submit(job("porep", Priority::normal, "porep-32g"));
  EXPECT_THAT(claim("b", 1, {"porep-32g"}), ElementsAre("porep"));
  EXPECT_THAT(claim("b", 1, {"porep-32g"}), ElementsAre("snap")) << "its grace is over, nothing else waits";
}

TEST_F(FarmQueueTest, APassedDeadlineEndsAJobThatWaits) {
  auto late = job("late");
  late.time_left = 0ms;
  const JobId id = submit(late);
  EXPECT_THAT(claim("b", 5), IsEmpty());
  EXPECT_EQ(queue("b").sweep(), 1u);
  EXPECT_EQ(state(id), JobState::timed_out);
}

TEST_F(FarmQueueTest, ACancelledJobIsFinalAtOnceAndItsWorkerIsTold) {
  const JobId id = submit("one");
  claim("b", 1);
  EXPECT_EQ(queue("a").cancel(id, "by a client"), JobState::running);
  EXPECT_EQ(state(id), JobState::cancelled);
  EXPECT_THAT(beat("b").leases, IsEmpty());
  EXPECT_FALSE(queue("b").end(leases["one"], completed())) << "too late";
  EXPECT_EQ(state(id), JobState::cancelled);
  EXPECT_EQ(queue("a").cancel(id, "again"), JobState::cancelled);
  EXPECT_EQ(queue("a").cancel("no such job", ""), std::nullopt);
}

TEST_F(FarmQueueTest, EndedOfNamesThoseThatHaveEndedOrAreGone) {
  const JobId waits = submit("waits"), ends = submit("ends");
  claim("b", 1);
  queue("a").cancel(ends, "");
  EXPECT_THAT(queue("c").ended_of({waits, ends, "unknown"}), UnorderedElementsAre(ends, "unknown"));
}

TEST_F(FarmQueueTest, ListsWhatIsThere) {
  submit("one");
  const JobId two = submit("two");
  queue("a").cancel(two, "");
  EXPECT_EQ(queue("a").list(FarmQueue::Which::unfinished, 10).size(), 1u);
  EXPECT_EQ(queue("a").list(FarmQueue::Which::all, 10).size(), 2u);
  EXPECT_EQ(queue("a").list(FarmQueue::Which::all, 1).size(), 1u);
}

TEST_F(FarmQueueTest, AViewShowsDaemonsQueueAndLeases) {
  options.lease = 1h;
  beat("b", {"toy"});
  submit("one");
  submit(job("urgent", Priority::critical));
  claim("b", 1);
  const auto view = queue("a").view();
  ASSERT_EQ(view.daemons.size(), 1u);
  EXPECT_EQ(view.daemons[0].leases, 1u);
  EXPECT_THAT(view.daemons[0].circuits, ElementsAre("toy"));
  ASSERT_EQ(view.queue.size(), 2u);
  EXPECT_EQ(view.queue[0].priority, "critical");
  EXPECT_EQ(view.queue[0].leased, 1u);
  EXPECT_EQ(view.queue[1].queued, 1u);
  ASSERT_EQ(view.leases.size(), 1u);
  EXPECT_EQ(view.leases[0].daemon, "b");
  EXPECT_EQ(view.inputs, 1u) << "two jobs of one input";
  EXPECT_EQ(view.input_bytes, 5u);
  EXPECT_THAT(json_of(view).text(), HasSubstr("\"circuit_id\":\"toy\""));
  EXPECT_THAT(text_of(view), HasSubstr("critical porep-c2: 0 wait, 1 are leased"));
}

TEST_F(FarmQueueTest, ANewerProgramsTablesAreRefused) {
  queue("a").prepare();
  server()->run("update cuzk.farm set version = 99");
  EXPECT_THROW(queue("b").prepare(), Error);
}

TEST_F(FarmQueueTest, AConnectionThatIsCutIsMadeAnewWithoutAWord) {
  const JobId id = submit("one");
  server()->run("select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'cuzk'");
  EXPECT_EQ(state(id), JobState::queued);
  server()->run("select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'cuzk'");
  EXPECT_THAT(claim("a", 1), ElementsAre("one"));
}

TEST_F(FarmQueueTest, ConnectionsThatAreCutAgainAndAgainAreNotNoticedAndASubmissionIsThereOnce) {
  std::atomic<bool> ends = false;
  std::jthread scissors([&] {
    while (!ends) {
      server()->run("select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'cuzk'");
      std::this_thread::sleep_for(20ms);
    }
  });
  for (int i = 0; i < 30; ++i) {
    const auto stored = queue("a").submit(job(std::to_string(i)), "input");
    EXPECT_EQ(stored.how, Stored::How::made) << "it finds its own, not another's";
  }
  ends = true;
  scissors.join();
  EXPECT_EQ(server()->number("select count(*) from cuzk.job"), 30);
}

TEST_F(FarmQueueTest, ASubmissionIsTriedNoLongerThanItsCallerWaits) {
  options.postgres = "host=/nowhere user=cuzk";
  const auto took = [&](std::optional<std::chrono::milliseconds> patience) {
    const auto begin = engine::Clock::now();
    const auto wanted = patience ? std::optional(begin + *patience) : std::nullopt;
    EXPECT_THROW(queue("lost").submit(job("one"), "input", wanted), Error);
    return engine::Clock::now() - begin;
  };
  EXPECT_LT(took(100ms), 900ms);
  const auto alone = took(std::nullopt);
  EXPECT_GT(alone, 500ms);
  EXPECT_LT(alone, 20s);
}

TEST_F(FarmQueueTest, ADeadlineThatPassesAtItsMachineIsNoEndWhereSomebodyWaitsLonger) {
  auto patient = job("one"), hasty = patient;
  hasty.time_left = 10s;
  submit(hasty);
  EXPECT_THAT(claim("b", 1), ElementsAre("one"));
  patient.id = job("").id;
  const JobId id = submit(patient);
  JobResult late;
  late.state = JobState::timed_out;
  late.code = Code::deadline;
  EXPECT_FALSE(queue("b").end(leases["one"], late));
  EXPECT_TRUE(queue("b").give_back(leases["one"], std::nullopt));
  EXPECT_EQ(state(id), JobState::queued);
}

TEST_F(FarmQueueTest, AHeartbeatTellsOfARaisedPriority) {
  submit("one");
  EXPECT_THAT(claim("b", 1), ElementsAre("one"));
  EXPECT_EQ(beat("b").leases.at(0).priority, Priority::normal);
  submit(job("one", Priority::critical));
  EXPECT_EQ(beat("b").leases.at(0).lease, leases["one"]);
  EXPECT_EQ(beat("b").leases.at(0).priority, Priority::critical);
}

TEST_F(FarmQueueTest, ADatabaseThatIsNotThereIsUnavailableAndThePasswordIsNotToldOf) {
  options.postgres = "host=/nowhere user=cuzk password=secret1";
  try {
    queue("lost").prepare();
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::unavailable);
    EXPECT_THAT(error.what(), testing::Not(HasSubstr("secret1")));
  }
  options.postgres = "host=db user=cuzk secret2";
  try {
    queue("wrong").prepare();
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::invalid_input);
    EXPECT_THAT(error.what(), testing::Not(HasSubstr("secret2")));
  }
}

#ifdef CUZK_FAILPOINTS
TEST_F(FarmQueueTest, AConnectionThatFailsWhileItIsSetUpLeavesNothingToBreak) {
  FarmQueue lost(options, "lost");
  failpoint::arm("farm.settings", {.code = Code::unavailable});
  EXPECT_THROW(lost.prepare(), Error);
  failpoint::disarm_all();
  std::array<std::array<int, 2>, 4> pairs{};  // one of them has the number that the connection's socket had
  for (auto& pair : pairs) ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, pair.data()), 0);
  lost.interrupt();
  for (const auto& pair : pairs) {
    EXPECT_EQ(::send(pair[0], "x", 1, MSG_NOSIGNAL), 1);
    EXPECT_EQ(::send(pair[1], "x", 1, MSG_NOSIGNAL), 1);
    for (const int socket : pair) ::close(socket);
  }
}
#endif

}  // namespace
}  // namespace cuzk::farm
