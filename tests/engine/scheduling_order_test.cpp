// Who goes first, who waits for whom, and how jobs end.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "scheduling_driver.h"

namespace cuzk::engine {
namespace {

using testing::ElementsAre;
using Outcome = PartitionEnded::Outcome;

JobSpec with(JobSpec job, Priority priority, std::optional<Duration> deadline = std::nullopt) {
  job.priority = priority;
  if (deadline) job.deadline = Time{} + *deadline;
  return job;
}

TEST(SchedulingOrder, HigherPrioritiesFirstThenTheOrderOfArrival) {
  SchedulingDriver driver;
  driver.submit(porep(1, 1));
  driver.submit(with(porep(2, 1), Priority::low));
  driver.submit(with(porep(3, 1), Priority::normal));
  driver.submit(with(porep(4, 1), Priority::high));
  driver.submit(with(porep(5, 1), Priority::normal));
  driver.finish_everything();
  EXPECT_THAT(driver.tickets_started(), ElementsAre(1, 4, 3, 5, 2));
}

TEST(SchedulingOrder, TheEarliestDeadlineFirstInsideAPriority) {
  SchedulingDriver driver;
  driver.submit(porep(1, 1));
  driver.submit(porep(2, 1));  // no deadline: due after patience, 6 hours
  driver.submit(with(porep(3, 1), Priority::normal, 3h));
  driver.submit(with(porep(4, 1), Priority::normal, 1h));
  driver.submit(with(porep(5, 1), Priority::normal, 100h));
  driver.finish_everything();
  EXPECT_THAT(driver.tickets_started(), ElementsAre(1, 4, 3, 2, 5));
}

TEST(SchedulingOrder, WhoIsWaitedForGoesAsIfThatWereItsDeadlineAndDoesNotEndThen) {
  SchedulingDriver driver;
  for (Ticket ticket = 1; ticket <= 4; ++ticket) driver.submit(porep(ticket, 1));  // the first runs
  driver.handle(JobAwaited{4, driver.now + 20min});
  driver.handle(JobAwaited{3, driver.now + 10min});
  driver.handle(JobAwaited{3, driver.now + 30min});  // by somebody else: the earlier one holds
  driver.pass(15min);
  EXPECT_TRUE(driver.ended.empty());
  driver.finish_everything();
  EXPECT_THAT(driver.tickets_started(), ElementsAre(1, 3, 4, 2));
}

TEST(SchedulingOrder, LowRisesToNormalAndGoesBeforeTheNewer) {
  SchedulingDriver driver;
  driver.submit(porep(1, 1));
  driver.submit(with(porep(2, 1), Priority::low));
  driver.pass(11min);
  driver.submit(porep(3, 1));
  driver.submit(with(window(4), Priority::high));
  driver.finish_everything();
  EXPECT_EQ(driver.tickets_started().front(), 1u);
  const auto order = driver.tickets_started();
  EXPECT_LT(std::find(order.begin(), order.end(), 2), std::find(order.begin(), order.end(), 3));
}

TEST(SchedulingOrder, NothingRisesToHigh) {
  SchedulingDriver driver;
  driver.submit(porep(1, 1));
  driver.submit(porep(2, 1));
  driver.pass(5h);
  driver.submit(with(porep(3, 1), Priority::high));
  driver.finish_everything();
  EXPECT_THAT(driver.tickets_started(), ElementsAre(1, 3, 2));
}

TEST(SchedulingOrder, TellsHowManyGoBefore) {
  SchedulingDriver driver;
  driver.submit(porep(1, 1));
  driver.submit(porep(2, 1));
  driver.submit(porep(3, 1));
  driver.submit(with(porep(4, 1), Priority::high));
  EXPECT_EQ(driver.scheduler.queue_position(1), std::nullopt);  // it runs
  EXPECT_EQ(driver.scheduler.queue_position(4), 0u);
  EXPECT_EQ(driver.scheduler.queue_position(3), 2u);
  EXPECT_EQ(driver.scheduler.queue_position(99), std::nullopt);
}

TEST(SchedulingOrder, AJobEndsWhenAllItsPartitionsAreProved) {
  SchedulingDriver driver;
  driver.submit(porep(1, 3));
  driver.finish_everything();
  EXPECT_EQ(driver.started.size(), 3u);
  ASSERT_EQ(driver.ended.size(), 1u);
  EXPECT_EQ(driver.ended[0].how, JobEnd::completed);
  EXPECT_EQ(driver.scheduler.usage().host_bytes, 0u);
  EXPECT_EQ(driver.scheduler.usage().input_bytes, 0u);
}

TEST(SchedulingOrder, AFailedPartitionFailsItsJobAlone) {
  SchedulingDriver driver;
  driver.submit(porep(1, 3));
  driver.submit(porep(2, 1));
  driver.end(driver.started[0], Outcome::failed);
  ASSERT_EQ(driver.ended.size(), 1u);
  EXPECT_EQ(driver.ended[0].how, JobEnd::failed);
  EXPECT_EQ(driver.last().partitions[0].ticket, 2u);
}

TEST(SchedulingOrder, CancelEndsAWaitingJobAtOnceAndARunningOneWhenItIsReported) {
  SchedulingDriver driver;
  driver.submit(porep(1, 3));
  driver.submit(porep(2, 1));
  driver.handle(JobCancelled{2});
  ASSERT_EQ(driver.ended.size(), 1u);
  EXPECT_EQ(driver.ended[0].how, JobEnd::cancelled);
  driver.handle(JobCancelled{1});
  ASSERT_EQ(driver.stopped.size(), 1u);
  EXPECT_EQ(driver.ended.size(), 1u);
  driver.handle(JobCancelled{1});  // again: nothing
  EXPECT_EQ(driver.stopped.size(), 1u);
  driver.end(driver.started[0], Outcome::given_back);
  ASSERT_EQ(driver.ended.size(), 2u);
  EXPECT_EQ(driver.ended[1].how, JobEnd::cancelled);
  EXPECT_EQ(driver.started.size(), 1u);
  EXPECT_EQ(driver.scheduler.usage().host_bytes, 0u);
  driver.handle(JobCancelled{1});  // ended: nothing
  EXPECT_EQ(driver.ended.size(), 2u);
}

TEST(SchedulingOrder, ADeadlineEndsWaitingAndRunningJobs) {
  SchedulingDriver driver;
  driver.submit(with(porep(1, 1), Priority::normal, 60s));
  driver.submit(with(porep(2, 1), Priority::normal, 30s));
  EXPECT_EQ(driver.scheduler.next_wakeup(), Time{} + 30s);
  driver.pass(30s);
  ASSERT_EQ(driver.ended.size(), 1u);
  EXPECT_EQ(driver.ended[0].ticket, 2u);
  EXPECT_EQ(driver.ended[0].how, JobEnd::expired);
  driver.pass(30s);
  ASSERT_EQ(driver.stopped.size(), 1u);
  EXPECT_EQ(driver.stopped[0].why, JobEnd::expired);
  driver.end(driver.started[0], Outcome::given_back);
  EXPECT_EQ(driver.ended.back().how, JobEnd::expired);
}

TEST(SchedulingOrder, WhoJoinsAJobRaisesIt) {
  SchedulingDriver driver;
  driver.submit(porep(1, 1));
  driver.submit(porep(2, 1));
  driver.submit(with(porep(3, 1), Priority::low, 60s));
  driver.handle(JobJoined{3, Priority::high, std::nullopt});
  driver.pass(2min);  // its deadline is gone
  driver.finish_everything();
  EXPECT_THAT(driver.tickets_started(), ElementsAre(1, 3, 2));
}

TEST(SchedulingOrder, ReportsOfUnknownThingsAreIgnored) {
  SchedulingDriver driver;
  driver.handle(PartitionEnded{7, 1, 0, Outcome::proved});
  driver.handle(BatchAdvanced{7});
  driver.handle(JobCancelled{7});
  driver.handle(DeviceLost{7});
  driver.handle(KeyLoaded{0, "porep-32g"});
  driver.handle(KeyEvicted{7, "porep-32g"});
  EXPECT_TRUE(driver.ended.empty());
}

TEST(SchedulingOrder, TheSameTicketTwiceIsTheCallersMistake) {
  SchedulingDriver driver;
  driver.submit(porep(1));
  EXPECT_THROW(driver.submit(porep(1)), Error);
}

// Urgent jobs.

TEST(SchedulingUrgent, AWinningPostStartsAtOnceBesideASector) {
  SchedulingDriver driver;
  driver.submit(porep(1));
  driver.submit(winning(2));
  ASSERT_EQ(driver.started.size(), 2u);
  EXPECT_EQ(driver.last().partitions[0].ticket, 2u);
  EXPECT_EQ(driver.last().lane, 1u);  // the urgent one
  EXPECT_TRUE(driver.preempted.empty());
}

TEST(SchedulingUrgent, NoOtherJobGetsTheUrgentLaneOrItsMemory) {
  SchedulingDriver driver;
  driver.submit(porep(1));
  driver.submit(porep(2));
  driver.submit(with(winning(3), Priority::high));
  EXPECT_EQ(driver.started.size(), 1u);
}

TEST(SchedulingUrgent, WhenItsLaneIsTakenASectorIsPreempted) {
  SchedulingDriver driver;
  driver.submit(porep(1, 2));
  driver.submit(winning(2));
  driver.submit(winning(3));
  ASSERT_EQ(driver.preempted.size(), 1u);
  EXPECT_EQ(driver.preempted[0].batch, driver.started[0].batch);
  EXPECT_EQ(driver.preempted[0].boundary, PreemptBatch::Boundary::tile);
  driver.end(driver.started[0], Outcome::given_back);
  EXPECT_THAT(driver.tickets_started(), ElementsAre(1, 2, 3));
  driver.end(driver.started[1]);
  driver.end(driver.started[2]);
  EXPECT_EQ(driver.last().partitions[0], (PartitionOfJob{1, 0}));  // again, from the first
}

TEST(SchedulingUrgent, OneIsAskedToLeaveForEachThatWaits) {
  SchedulerPolicy policy;
  SchedulingDriver driver(policy, {DeviceSpec{0, 139 * kGiB, 4 * kGiB, 3, 1}});
  driver.submit(porep(1));
  for (Ticket ticket = 2; ticket <= 4; ++ticket) driver.submit(winning(ticket));
  EXPECT_EQ(driver.started.size(), 4u);  // three lanes, and the urgent one
  EXPECT_EQ(driver.preempted.size(), 2u);
}

TEST(SchedulingUrgent, AJobPreemptedTooOftenIsLeftToFinish) {
  SchedulerPolicy policy;
  policy.max_preemptions = 1;
  SchedulingDriver driver(policy);
  driver.submit(porep(1, 1));
  driver.submit(winning(2));
  driver.submit(winning(3));
  driver.end(driver.started[0], Outcome::given_back);
  driver.end(driver.started[2]);
  ASSERT_EQ(driver.last().partitions[0].ticket, 1u);
  driver.submit(winning(4));
  EXPECT_EQ(driver.preempted.size(), 1u);
}

/// Three ordinary lanes that take turns, and an urgent one.
std::vector<DeviceSpec> card_of_turns() { return {DeviceSpec{0, 139 * kGiB, 4 * kGiB, 3, 1}}; }

JobSpec small(Ticket ticket) { return with(winning(ticket), Priority::normal); }

TEST(SchedulingUrgent, WhatBecomesUrgentWhileItWaitsForItsTurnMovesToTheUrgentLane) {
  SchedulingDriver driver({}, card_of_turns());
  for (Ticket ticket = 1; ticket <= 3; ++ticket) driver.submit(small(ticket));
  ASSERT_EQ(driver.started.size(), 3u);
  driver.handle(JobJoined{2, Priority::critical, std::nullopt});
  ASSERT_EQ(driver.preempted.size(), 1u);
  EXPECT_EQ(driver.preempted[0].batch, driver.started[1].batch);
  EXPECT_EQ(driver.preempted[0].boundary, PreemptBatch::Boundary::turn);
  driver.end(driver.started[1], Outcome::given_back);
  EXPECT_EQ(driver.last().partitions[0].ticket, 2u);
  EXPECT_EQ(driver.last().lane, 3u);
  driver.pass(1min);
  EXPECT_EQ(driver.preempted.size(), 1u) << "once";
}

TEST(SchedulingUrgent, WhatProvesAlreadyStaysAndAnotherIsAsked) {
  SchedulingDriver driver({}, card_of_turns());
  for (Ticket ticket = 1; ticket <= 3; ++ticket) driver.submit(small(ticket));
  for (const Ticket ticket : {2, 3}) driver.handle(JobJoined{ticket, Priority::critical, std::nullopt});
  ASSERT_EQ(driver.preempted.size(), 1u) << "one at a time";
  driver.handle(BatchAdvanced{driver.preempted[0].batch});
  ASSERT_EQ(driver.preempted.size(), 2u);
  EXPECT_NE(driver.preempted[0].batch, driver.preempted[1].batch);
}

TEST(SchedulingUrgent, WhatBecomesUrgentStaysWhereNoUrgentLaneWouldTakeIt) {
  SchedulingDriver driver({}, card_of_turns());
  driver.submit(winning(1));
  for (Ticket ticket = 2; ticket <= 3; ++ticket) driver.submit(small(ticket));
  driver.submit(porep(4, 1));
  driver.handle(JobJoined{4, Priority::critical, std::nullopt});
  driver.handle(JobJoined{3, Priority::critical, std::nullopt});
  EXPECT_TRUE(driver.preempted.empty()) << "the lane is taken; it leaves no witness for nothing";
  driver.end(driver.started[0]);
  ASSERT_EQ(driver.preempted.size(), 1u) << "now it is free: for the one that fits into its memory";
  EXPECT_EQ(driver.preempted[0].batch, driver.started[2].batch);
}

TEST(SchedulingUrgent, HighPreemptsBetweenPartitionsOfABatchOnly) {
  SchedulerPolicy policy;
  policy.max_batch_size = 4;
  SchedulingDriver driver(policy, {card(0, 300 * kGiB)});
  driver.submit(porep(1, 4));
  ASSERT_EQ(driver.last().partitions.size(), 4u);
  driver.submit(window(2));
  ASSERT_EQ(driver.preempted.size(), 1u);
  EXPECT_EQ(driver.preempted[0].boundary, PreemptBatch::Boundary::partition);
  SchedulingDriver single;
  single.submit(porep(1, 4));
  single.submit(with(porep(2), Priority::high));
  EXPECT_TRUE(single.preempted.empty());  // the lane is free after this partition anyway
}

}  // namespace
}  // namespace cuzk::engine
