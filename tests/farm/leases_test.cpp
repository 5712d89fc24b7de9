// What becomes of leases whose holders die, come back, or give them back.
#include "farm/queue_fixture.h"

namespace cuzk::farm {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class LeasesTest : public QueueTest {
 protected:
  void SetUp() override {
    QueueTest::SetUp();
    if (IsSkipped()) return;
    while (server()->number("select (pg_postmaster_start_time() < now() - interval '400 ms')::int") == 0)
      std::this_thread::sleep_for(50ms);
  }

  /// b claims a job and is not heard of again.
  JobId claimed_by_a_dead() {
    beat("b");
    const JobId id = submit("one");
    EXPECT_THAT(claim("b", 1), ElementsAre("one"));
    std::this_thread::sleep_for(options.lease + 50ms);
    return id;
  }
};

TEST_F(LeasesTest, ALeaseLivesAsLongAsItsDaemonIsSeen) {
  beat("b");
  submit("one");
  claim("b", 1);
  for (int i = 0; i < 5; ++i) {
    std::this_thread::sleep_for(options.lease / 2);
    EXPECT_THAT(beat("b").leases, ElementsAre(testing::Field(&Beat::Own::lease, leases["one"])));
    queue("c").sweep();
  }
  EXPECT_TRUE(queue("b").end(leases["one"], completed()));
}

TEST_F(LeasesTest, TheWorkOfADeadDaemonReturnsWithTheReason) {
  const JobId id = claimed_by_a_dead();
  EXPECT_EQ(queue("c").sweep(), 1u);
  EXPECT_EQ(state(id), JobState::queued);
  EXPECT_THAT(claim("c", 1), ElementsAre("one"));
  EXPECT_EQ(leases["one"].number, 2u);
  EXPECT_THAT(server()->run("select reasons[1] from cuzk.job")[0][0].c_str(), HasSubstr("b was not seen"));
}

TEST_F(LeasesTest, ALateResultIsNobodysOnceAnotherHasTheJob) {
  const JobId id = claimed_by_a_dead();
  const Lease old = leases["one"];
  queue("c").sweep();
  claim("c", 1);
  EXPECT_FALSE(queue("b").end(old, completed(1)));
  EXPECT_TRUE(queue("c").end(leases["one"], completed(2)));
  EXPECT_FALSE(queue("b").end(old, completed(3)));
  EXPECT_EQ(queue("a").fetch(id)->result->proof[0], 2);
}

TEST_F(LeasesTest, ALateResultIsTakenWhereNobodyElseHasBegun) {
  const JobId id = claimed_by_a_dead();
  queue("c").sweep();
  EXPECT_EQ(state(id), JobState::queued);
  EXPECT_TRUE(queue("b").end(leases["one"], completed(1)));
  EXPECT_THAT(claim("c", 1), IsEmpty());
}

TEST_F(LeasesTest, ATakenForDeadDaemonComesBackWithNothing) {
  claimed_by_a_dead();
  queue("c").sweep();
  EXPECT_THAT(beat("b").leases, IsEmpty());
  EXPECT_THAT(claim("b", 1), ElementsAre("one"));
  EXPECT_THAT(beat("b").leases, ElementsAre(testing::Field(&Beat::Own::lease, leases["one"])));
}

TEST_F(LeasesTest, WhatIsGivenBackWaitsForAnotherAndCountsNoAttempt) {
  options.heartbeat = 1min;
  const JobId id = submit("one");
  claim("b", 1);
  EXPECT_TRUE(queue("b").give_back(leases["one"], std::nullopt));
  EXPECT_EQ(state(id), JobState::queued);
  EXPECT_THAT(claim("b", 1), IsEmpty()) << "not the same at once";
  EXPECT_FALSE(queue("b").give_back(leases["one"], std::nullopt)) << "once";
  EXPECT_THAT(claim("c", 1), ElementsAre("one"));
  EXPECT_EQ(server()->number("select attempts from cuzk.job"), 1);
}

TEST_F(LeasesTest, TooManyAttemptsAreAFailureWithTheReasons) {
  options.max_attempts = 2;
  const JobId id = submit("one");
  claim("b", 1);
  EXPECT_TRUE(queue("b").give_back(leases["one"], "there is no key"));
  EXPECT_EQ(state(id), JobState::queued);
  claim("c", 1);
  EXPECT_TRUE(queue("c").give_back(leases["one"], "the device is lost"));
  const auto job = queue("a").fetch(id);
  ASSERT_TRUE(job->result);
  EXPECT_EQ(job->result->state, JobState::failed);
  EXPECT_THAT(job->result->message, testing::AllOf(HasSubstr("2 attempts"), HasSubstr("the device is lost")));
  EXPECT_EQ(server()->number("select cardinality(reasons) from cuzk.job"), 2);
}

TEST_F(LeasesTest, AJobThatKillsItsDaemonsIsGivenUp) {
  options.max_attempts = 1;
  const JobId id = claimed_by_a_dead();
  EXPECT_EQ(queue("c").sweep(), 1u);
  EXPECT_EQ(state(id), JobState::failed);
}

TEST_F(LeasesTest, OneSweepsAndTheOthersDoNotWait) {
  options.lease = 1min;
  pqxx::connection connection(server()->connection());
  pqxx::work other(connection);
  other.exec("select pg_advisory_xact_lock(x'63757a6b02'::bigint)");
  EXPECT_EQ(queue("b").sweep(), std::nullopt);
  other.abort();
  EXPECT_EQ(queue("b").sweep(), 0u);
  EXPECT_FALSE(beat("b").sweep_is_due);
}

TEST_F(LeasesTest, AfterARestartOfTheDatabaseNobodyIsTakenForDeadForALease) {
  options.lease = 2s;
  beat("b");
  const JobId id = submit("one");
  claim("b", 1);
  server()->stop(Postgres::Stop::crash);
  std::this_thread::sleep_for(options.lease);
  server()->start();
  queue("c").sweep();
  EXPECT_EQ(state(id), JobState::running) << "its daemon could not have said that it lives";
  std::this_thread::sleep_for(options.lease + 100ms);
  queue("c").sweep();
  EXPECT_EQ(state(id), JobState::queued);
}

TEST_F(LeasesTest, ResultsAreKeptUntilTheyWereFetchedAndForSomeTime) {
  options.keep_results = 1h;
  options.keep_unfetched = 10h;
  const JobId fetched = submit("fetched"), other = submit("other");
  for (const auto& name : {"fetched", "other"}) {
    claim("b", 1);
    queue("b").end(leases[name], completed());
  }
  queue("a").fetch(fetched);
  const auto purge = [&](const std::string& age) {
    server()->run("update cuzk.job set ended = now() - interval '" + age + "'");
    queue("b").purge([](const InputDigest&) { return true; });
    return server()->number("select count(*) from cuzk.job");
  };
  EXPECT_EQ(purge("30 minutes"), 2);
  EXPECT_EQ(purge("2 hours"), 1);
  EXPECT_EQ(purge("11 hours"), 0);
}

TEST_F(LeasesTest, InputsGoSomeTimeAfterTheLastJobThatNeededThem) {
  options.keep_inputs = 1h;
  submit("one");
  queue("a").keep_file({5});
  std::vector<InputDigest> files;
  const auto purge = [&] {
    queue("b").purge([&](const InputDigest& digest) {
      files.push_back(digest);
      return true;
    });
    return server()->number("select count(*) from cuzk.input");
  };
  EXPECT_EQ(purge(), 2);
  server()->run("update cuzk.input set used = now() - interval '2 hours'");
  EXPECT_EQ(purge(), 1) << "one is needed";
  EXPECT_THAT(files, ElementsAre(InputDigest{5}));
  claim("b", 1);
  queue("b").end(leases["one"], completed());
  EXPECT_EQ(purge(), 1) << "it may be asked for again";
  server()->run("update cuzk.job set ended = now() - interval '2 hours'");
  EXPECT_EQ(purge(), 0);
  EXPECT_EQ(files.size(), 1u);
}

TEST_F(LeasesTest, AFileThatCannotBeRemovedIsTriedAgain) {
  options.keep_inputs = 1h;
  queue("a").keep_file({5});
  const auto purge = [&](bool is_gone) {
    server()->run("update cuzk.input set used = now() - interval '2 hours'");
    queue("b").purge([=](const InputDigest&) { return is_gone; });
    return server()->number("select count(*) from cuzk.input where bytes is null");
  };
  EXPECT_EQ(purge(false), 1) << "else the file would stay for good";
  EXPECT_EQ(purge(true), 0);
}

struct Told : Listener {
  void on_work() override { ++work; }
  void on_end(const JobId& id) override { ended.push_back(id); }
  void on_lost(const JobId& id) override { lost.push_back(id); }
  void on_urgent(const JobId& id) override { urgent.push_back(id); }
  int work = 0;
  std::vector<JobId> ended, lost, urgent;
};

TEST_F(LeasesTest, ThoseWhomItConcernsAreToldAndNobodyElse) {
  options.lease = 1h;
  Told acceptor, worker, other;  // live longer than the queues
  FarmQueue a(options, "a"), b(options, "b"), c(options, "c");
  const auto listen = [&] {
    a.listen(acceptor, 50ms);
    b.listen(worker, 50ms);
    c.listen(other, 50ms);
  };
  listen();
  queue("b").beat({"b", 1, 1, {"toy"}});
  queue("c").beat({"c", 1, 1, {}});
  const JobId id = submit("one");
  listen();
  EXPECT_EQ(worker.work, 1) << "it has the key";
  EXPECT_EQ(other.work, 0);
  claim("b", 1);
  queue("c").cancel(id, "");
  listen();
  EXPECT_THAT(acceptor.ended, ElementsAre(id));
  EXPECT_THAT(worker.lost, ElementsAre(id));
  EXPECT_EQ(other.work, 0);
  EXPECT_THAT(other.ended, IsEmpty());
}

TEST_F(LeasesTest, AListenerIsInterrupted) {
  Told told;
  FarmQueue a(options, "a");
  a.listen(told, 0ms);
  const auto begin = std::chrono::steady_clock::now();
  std::jthread other([&] {
    std::this_thread::sleep_for(100ms);
    a.interrupt();
  });
  try {
    a.listen(told, 20s);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::unavailable);
  }
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 10s);
}

}  // namespace
}  // namespace cuzk::farm
