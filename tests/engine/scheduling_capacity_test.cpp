// What fits: memory, lanes, batches, keys, refusals, devices that come and go.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "scheduling_driver.h"

namespace cuzk::engine {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;
using Outcome = PartitionEnded::Outcome;
using Reason = RefuseJob::Reason;

// Refusals.

TEST(SchedulingAdmission, AJobThatFitsNoDeviceIsRefusedSayingWhatItNeedsAndWhatThereIs) {
  SchedulingDriver driver({}, {card(0, 64 * kGiB)});
  driver.submit(window(1));
  ASSERT_THAT(driver.refused, SizeIs(1));
  EXPECT_EQ(driver.refused[0].reason, Reason::too_large);
  EXPECT_EQ(driver.refused[0].retry_after, Duration::zero());
  EXPECT_THAT(driver.refused[0].message, HasSubstr("77.00 GiB"));
  EXPECT_THAT(driver.refused[0].message, HasSubstr("60.00 GiB"));
}

TEST(SchedulingAdmission, AJobThatNeedsMoreThanTheHostsBudgetIsRefused) {
  SchedulerPolicy policy;
  policy.host_budget = 4 * kGiB;
  SchedulingDriver driver(policy);
  driver.submit(window(1));
  ASSERT_THAT(driver.refused, SizeIs(1));
  EXPECT_EQ(driver.refused[0].reason, Reason::too_large);
}

TEST(SchedulingAdmission, WhatTheUrgentPartAloneCouldHoldIsAcceptedFromUrgentJobsOnly) {
  SchedulerPolicy policy;
  policy.host_budget = policy.urgent_host = kGiB;
  SchedulingDriver driver(policy);
  driver.submit(winning(1));
  EXPECT_TRUE(driver.refused.empty());
  JobSpec same = winning(2);
  same.priority = Priority::normal;
  driver.submit(same);
  EXPECT_THAT(driver.refused, SizeIs(1));
}

TEST(SchedulingAdmission, AKindsFullQueueRefusesItAndNoOther) {
  SchedulerPolicy policy;
  policy.kinds[static_cast<std::size_t>(Kind::porep)].max_queued = 2;
  SchedulingDriver driver(policy);
  for (Ticket ticket = 1; ticket <= 4; ++ticket) driver.submit(porep(ticket));
  driver.submit(snap(5));
  ASSERT_THAT(driver.refused, SizeIs(1));
  EXPECT_EQ(driver.refused[0].ticket, 4u);
  EXPECT_EQ(driver.refused[0].reason, Reason::queue_full);
  EXPECT_GE(driver.refused[0].retry_after, 1s);
}

TEST(SchedulingAdmission, InputsHaveABudget) {
  SchedulerPolicy policy;
  policy.input_budget = 140 << 20;  // three quarters of it for one kind: two of 51 MiB
  SchedulingDriver driver(policy);
  for (Ticket ticket = 1; ticket <= 3; ++ticket) driver.submit(porep(ticket));
  ASSERT_THAT(driver.refused, SizeIs(1));
  EXPECT_EQ(driver.refused[0].reason, Reason::queue_full);
}

TEST(SchedulingAdmission, WithoutADeviceJobsAreRefusedForNow) {
  SchedulingDriver driver({}, {});
  driver.submit(porep(1));
  ASSERT_THAT(driver.refused, SizeIs(1));
  EXPECT_EQ(driver.refused[0].reason, Reason::no_device);
  EXPECT_GT(driver.refused[0].retry_after, Duration::zero());
}

TEST(SchedulingAdmission, AnImpossiblePolicyIsRefused) {
  SchedulerPolicy policy;
  policy.max_batch_size = 0;
  EXPECT_THROW(Scheduler{policy}, Error);
  policy = {};
  policy.urgent_host = policy.host_budget + 1;
  EXPECT_THROW(Scheduler{policy}, Error);
  policy = {};
  policy.aging_ceiling = Priority::critical;
  EXPECT_THROW(Scheduler{policy}, Error);
}

// Memory.

TEST(SchedulingMemory, ABlockedJobIsNotPassedForEverBySmallerOnes) {
  SchedulerPolicy policy;
  policy.host_budget = 6 * kGiB;
  policy.urgent_host = 0;
  SchedulingDriver driver(policy, {DeviceSpec{0, 400 * kGiB, 4 * kGiB, 4, 1}});
  driver.submit(porep(1, 2));  // 1.25 GiB of 6, then 2.25
  driver.submit(window(2));    // 5 GiB: must wait
  driver.submit(snap(3));      // 1.25 GiB would fit
  EXPECT_THAT(driver.tickets_started(), ElementsAre(1, 1));
  driver.end(driver.started[0]);
  EXPECT_THAT(driver.tickets_started(), ElementsAre(1, 1));
  driver.end(driver.started[1]);
  EXPECT_THAT(driver.tickets_started(), ElementsAre(1, 1, 2));
}

TEST(SchedulingMemory, AStalledBatchIsNotWaitedFor) {
  SchedulerPolicy policy;
  policy.host_budget = 6 * kGiB;
  policy.urgent_host = 0;
  SchedulingDriver driver(policy, {DeviceSpec{0, 400 * kGiB, 4 * kGiB, 4, 1}});
  driver.submit(porep(1, 1));
  driver.submit(window(2));
  driver.submit(snap(3, 1));
  EXPECT_THAT(driver.tickets_started(), ElementsAre(1));
  driver.pass(9min);
  driver.handle(BatchAdvanced{driver.started[0].batch});  // alive
  driver.pass(9min);
  EXPECT_THAT(driver.tickets_started(), ElementsAre(1));
  driver.pass(1min);
  EXPECT_THAT(driver.tickets_started(), ElementsAre(1, 3));
}

TEST(SchedulingMemory, LanesTakeTurnsAtADevicesMemory) {
  SchedulingDriver driver({}, {DeviceSpec{0, 65 * kGiB, 0, 3, 0}});
  driver.submit(porep(1));
  EXPECT_THAT(driver.started, SizeIs(3));  // 20 GiB beside the key of 44
}

TEST(SchedulingMemory, UrgentLanesProveBesideTheOthers) {
  SchedulingDriver driver({}, {DeviceSpec{0, 70 * kGiB, 2 * kGiB, 1, 3}});
  for (Ticket ticket = 1; ticket <= 3; ++ticket) driver.submit(winning(ticket));  // 1 GiB each beside a key of 0.25
  EXPECT_THAT(driver.started, SizeIs(2));                                         // one of them in the ordinary lane
}

TEST(SchedulingMemory, NothingStartsThatDoesNotFitBesideWhatIsStalled) {
  SchedulingDriver driver({}, {DeviceSpec{0, 83 * kGiB, 0, 3, 0}});
  driver.submit(porep(1, 1));
  driver.pass(10min);
  driver.submit(porep(2, 1));
  EXPECT_THAT(driver.tickets_started(), ElementsAre(1));
  driver.handle(BatchAdvanced{driver.started[0].batch});  // it takes its turn after all
  EXPECT_THAT(driver.tickets_started(), ElementsAre(1, 2));
}

TEST(SchedulingMemory, AJobGoesWhereItsKeyFitsAsThatDeviceHoldsIt) {
  SchedulingDriver driver({}, {card(0, 24 * kGiB), card(1, 30 * kGiB)});
  JobSpec job = porep(1, 1);
  driver.submit(job);
  ASSERT_THAT(driver.refused, SizeIs(1));
  EXPECT_THAT(driver.refused[0].message, HasSubstr("needs 64.00 GiB, the largest device has 26.00 GiB"));
  job.ticket = 2;
  job.memory.elsewhere = {{0, 18 * kGiB, 0}};  // streamed from the host
  driver.submit(job);
  EXPECT_THAT(driver.refused, SizeIs(1));
  ASSERT_THAT(driver.started, SizeIs(1));
  EXPECT_EQ(driver.started[0].device, 0u);
}

TEST(SchedulingLanes, AKindMayBeKeptFromTakingAll) {
  SchedulerPolicy policy;
  policy.kinds[static_cast<std::size_t>(Kind::porep)].max_batches = 1;
  SchedulingDriver driver(policy, {DeviceSpec{0, 400 * kGiB, 4 * kGiB, 2, 1}});
  driver.submit(porep(1));
  driver.submit(snap(2));
  EXPECT_THAT(driver.tickets_started(), ElementsAre(1, 2));
}

// Batches.

TEST(SchedulingBatches, PartitionsOfSeveralSectorsGoTogether) {
  SchedulerPolicy policy;
  policy.max_batch_size = 8;
  SchedulingDriver driver(policy, {card(0, 300 * kGiB)});
  driver.submit(porep(1, 1));
  for (Ticket ticket = 2; ticket <= 4; ++ticket) driver.submit(porep(ticket, 3));
  driver.end(driver.started[0]);
  EXPECT_THAT(driver.tickets_started(), ElementsAre(1, 2, 2, 2, 3, 3, 3, 4, 4));
  EXPECT_THAT(driver.started, SizeIs(2));
}

TEST(SchedulingBatches, OnABusyDeviceTheyWaitForPartnersButNotForEver) {
  SchedulerPolicy policy;
  policy.max_batch_size = 4;
  SchedulingDriver driver(policy, {DeviceSpec{0, 300 * kGiB, 0, 2, 0}});
  driver.submit(porep(1, 1));  // an idle device: at once
  driver.submit(porep(2, 1));
  EXPECT_THAT(driver.started, SizeIs(1));
  driver.pass(9s);
  EXPECT_THAT(driver.started, SizeIs(1));
  driver.pass(1s);
  EXPECT_THAT(driver.started, SizeIs(2));
}

TEST(SchedulingBatches, AFullBatchAHighPriorityOrANearDeadlineEndsTheWait) {
  SchedulerPolicy policy;
  policy.max_batch_size = 2;
  const DeviceSpec device{0, 300 * kGiB, 0, 3, 0};
  SchedulingDriver full(policy, {device});
  full.submit(porep(1, 1));
  full.submit(porep(2, 1));
  EXPECT_THAT(full.started, SizeIs(1));
  full.submit(porep(3, 1));
  EXPECT_THAT(full.tickets_started(), ElementsAre(1, 2));  // two free lanes: one each
  full.submit(porep(4, 1));
  EXPECT_THAT(full.tickets_started(), ElementsAre(1, 2, 3, 4));

  SchedulingDriver high(policy, {device});
  high.submit(porep(1, 1));
  JobSpec job = porep(2, 1);
  job.priority = Priority::high;
  high.submit(job);
  EXPECT_THAT(high.started, SizeIs(2));

  SchedulingDriver near(policy, {device});
  near.submit(porep(1, 1));
  job = porep(2, 1);
  job.deadline = Time{} + 1min;
  near.submit(job);
  EXPECT_THAT(near.started, SizeIs(2));
}

TEST(SchedulingBatches, ALowerPriorityDoesNotLengthenABatch) {
  SchedulerPolicy policy;
  policy.max_batch_size = 8;
  SchedulingDriver driver(policy, {card(0, 300 * kGiB)});
  JobSpec high = porep(2, 2);
  high.priority = Priority::high;
  driver.submit(porep(1, 1));
  driver.submit(porep(3, 2));
  driver.submit(high);
  driver.end(driver.started[0]);
  EXPECT_THAT(driver.tickets_started(), ElementsAre(1, 2, 2));
}

TEST(SchedulingBatches, AreAsLargeAsAStreamedKeyServesTogether) {
  SchedulerPolicy policy;
  policy.max_batch_size = 8;
  SchedulingDriver driver(policy, {DeviceSpec{0, 24 * kGiB, 0, 3, 0}});
  JobSpec job = porep(1, 5);
  job.memory.elsewhere = {{0, 16 * kGiB, 0, 4}};
  driver.submit(job);
  ASSERT_THAT(driver.started, SizeIs(1)) << "the fifth waits for partners";
  EXPECT_THAT(driver.started[0].partitions, SizeIs(4));
}

TEST(SchedulingBatches, AreSharedOutAmongFreeDevices) {
  SchedulerPolicy policy;
  policy.max_batch_size = 10;
  policy.spread_backlog = 1;
  SchedulingDriver driver(policy, {card(0, 300 * kGiB), card(1, 300 * kGiB)});
  driver.keys = SchedulingDriver::Keys::by_hand;
  driver.handle(KeyWanted{0, "porep-32g", 44 * kGiB});
  driver.handle(KeyWanted{1, "porep-32g", 44 * kGiB});
  driver.handle(KeyLoaded{0, "porep-32g"});
  driver.handle(KeyLoaded{1, "porep-32g"});
  driver.submit(porep(1, 10));
  ASSERT_THAT(driver.started, SizeIs(2));
  EXPECT_THAT(driver.started[0].partitions, SizeIs(5));
  EXPECT_THAT(driver.started[1].partitions, SizeIs(5));
}

// Keys.

TEST(SchedulingKeys, AJobGoesToTheDeviceThatHasItsKey) {
  SchedulingDriver driver({}, {card(0), card(1)});
  driver.submit(porep(1, 1));
  driver.submit(snap(2, 1));
  ASSERT_THAT(driver.started, SizeIs(2));
  EXPECT_NE(driver.started[0].device, driver.started[1].device);
  driver.end(driver.started[0]);
  driver.end(driver.started[1]);
  driver.submit(snap(3, 1));
  EXPECT_EQ(driver.last().device, driver.started[1].device);
  EXPECT_THAT(driver.loads, SizeIs(2));
}

TEST(SchedulingKeys, OthersRunWhileAKeyIsLoaded) {
  SchedulingDriver driver({}, {card(0, 200 * kGiB)});
  driver.keys = SchedulingDriver::Keys::by_hand;
  driver.submit(porep(1));
  driver.handle(KeyLoaded{0, "porep-32g"});
  driver.submit(window(2));
  ASSERT_THAT(driver.loads, SizeIs(2));
  driver.end(driver.last());
  driver.end(driver.last());
  EXPECT_THAT(driver.tickets_started(), ElementsAre(1, 1, 1));
  driver.handle(KeyLoaded{0, "wpost-32g"});
  driver.end(driver.last());
  EXPECT_THAT(driver.tickets_started(), ElementsAre(1, 1, 1, 2));
}

TEST(SchedulingKeys, AnUnusedKeyGivesWay) {
  SchedulingDriver driver({}, {card(0, 80 * kGiB)});
  driver.submit(porep(1, 1));
  driver.submit(snap(2, 1));
  EXPECT_TRUE(driver.evictions.empty());  // a batch uses it
  driver.end(driver.started[0]);
  ASSERT_THAT(driver.evictions, SizeIs(1));
  EXPECT_THAT(driver.tickets_started(), ElementsAre(1, 2));
}

TEST(SchedulingKeys, OfTwoUnusedKeysTheOneThatIsCheapToLoadAgainGivesWay) {
  SchedulingDriver driver({}, {card(0, 142 * kGiB)});
  driver.keys = SchedulingDriver::Keys::by_hand;
  const auto load = [&](const JobSpec& job, Duration time) {
    driver.submit(job);
    driver.pass(time);
    driver.handle(KeyLoaded{0, job.circuit});
    driver.end(driver.last());
  };
  load(porep(1, 1), 100s);  // from a slow disk
  load(snap(2, 1), 1s);     // from the page cache
  driver.pass(1min);
  driver.submit(window(3));
  ASSERT_THAT(driver.evictions, SizeIs(1));
  EXPECT_EQ(driver.evictions[0].circuit, "snap-32g") << "though it was used last";
}

TEST(SchedulingKeys, NoneGoesThatNeedNot) {
  SchedulingDriver driver({}, {card(0, 101 * kGiB)});
  driver.submit(winning(1));  // its key lies in the urgent part, so:
  JobSpec small = snap(2, 1);
  small.circuit = "snap-small";
  small.memory.key = kGiB;
  driver.submit(small);
  driver.end(driver.started[0]);
  driver.end(driver.last());
  driver.submit(porep(3, 1));
  driver.end(driver.last());
  driver.pass(1min);
  driver.submit(window(4));  // 77 GiB beside the small key and porep's 44 of 97
  ASSERT_THAT(driver.evictions, SizeIs(1));
  EXPECT_EQ(driver.evictions[0].circuit, "porep-32g");
}

TEST(SchedulingKeys, AWantedKeyTakesThePlaceOfOneLongUnused) {
  SchedulingDriver driver({}, {card(0, 80 * kGiB), card(1, 60 * kGiB)});
  driver.submit(porep(1, 1));
  driver.end(driver.last());
  driver.handle(KeyWanted{0, "snap-32g", 33 * kGiB});
  EXPECT_THAT(driver.keys_refused, SizeIs(1)) << "porep's was used just now";
  driver.pass(5min);
  driver.keys = SchedulingDriver::Keys::by_hand;
  driver.handle(KeyWanted{0, "snap-32g", 33 * kGiB});
  ASSERT_THAT(driver.evictions, SizeIs(1));
  EXPECT_THAT(driver.loads, SizeIs(1)) << "the memory is not free yet";
  driver.handle(KeyEvicted{0, "porep-32g"});
  EXPECT_THAT(driver.loads, SizeIs(2));
  driver.handle(KeyLoaded{0, "snap-32g"});
  driver.handle(KeyWanted{1, "wpost-32g", 57 * kGiB});
  EXPECT_THAT(driver.keys_refused, SizeIs(2)) << "never more than there is";
}

TEST(SchedulingKeys, WhereALoadFindsNoRoomUnusedKeysGoAndItIsTriedAgain) {
  SchedulingDriver driver;
  driver.submit(snap(1, 1));
  driver.end(driver.last());
  driver.keys = SchedulingDriver::Keys::by_hand;
  driver.submit(porep(2, 1));
  ASSERT_THAT(driver.loads, SizeIs(2));
  const auto fail = [&] {
    driver.handle(KeyLoadFailed{0, "porep-32g", "the memory is in pieces", KeyLoadFailed::Cause::room});
  };
  fail();
  ASSERT_THAT(driver.evictions, SizeIs(1));
  EXPECT_THAT(driver.loads, SizeIs(2)) << "not before there is more room";
  driver.handle(KeyEvicted{0, "snap-32g"});
  ASSERT_THAT(driver.loads, SizeIs(3));
  fail();
  ASSERT_THAT(driver.ended, SizeIs(2)) << "nothing is left to make room";
  EXPECT_EQ(driver.ended[1].how, JobEnd::failed);
}

TEST(SchedulingKeys, JobsOfALoadedKeyGoFirstUntilOneHasWaitedTooLong) {
  SchedulingDriver driver({}, {card(0, 80 * kGiB)});
  driver.submit(porep(1, 1));
  driver.submit(snap(2, 1));
  driver.submit(porep(3, 1));
  driver.submit(porep(4, 1));
  driver.end(driver.last());
  EXPECT_THAT(driver.tickets_started(), ElementsAre(1, 3));
  driver.pass(6min);
  driver.end(driver.last());
  EXPECT_THAT(driver.tickets_started(), ElementsAre(1, 3, 2));
  driver.end(driver.last());
  EXPECT_THAT(driver.tickets_started(), ElementsAre(1, 3, 2, 4));
}

TEST(SchedulingKeys, ByRankEveryJobHasItsTurn) {
  SchedulerPolicy policy;
  policy.key_order = KeyOrder::by_rank;
  SchedulingDriver driver(policy, {card(0, 80 * kGiB)});
  driver.submit(porep(1, 1));
  driver.submit(snap(2, 1));
  driver.submit(porep(3, 1));
  driver.finish_everything();
  EXPECT_THAT(driver.tickets_started(), ElementsAre(1, 2, 3));
}

TEST(SchedulingKeys, AHigherPriorityReplacesAKeyThatOthersWaitFor) {
  SchedulingDriver driver({}, {card(0, 81 * kGiB)});
  driver.submit(porep(1));
  driver.submit(window(2));
  EXPECT_THAT(driver.tickets_started(), ElementsAre(1));
  driver.end(driver.last());
  EXPECT_THAT(driver.tickets_started(), ElementsAre(1, 2));  // the sector's other partitions wait
  driver.end(driver.last());
  EXPECT_THAT(driver.tickets_started(), ElementsAre(1, 2, 1));
}

TEST(SchedulingKeys, ABacklogSpreadsToAnIdleDevice) {
  SchedulingDriver driver({}, {card(0), card(1)});
  driver.submit(porep(1));
  driver.submit(porep(2));
  EXPECT_THAT(driver.loads, SizeIs(1));
  driver.submit(porep(3));
  ASSERT_THAT(driver.loads, SizeIs(2));
  EXPECT_EQ(driver.last().device, driver.loads[1].device);
}

TEST(SchedulingKeys, AKeyThatCannotBeLoadedFailsItsJobsAlone) {
  SchedulingDriver driver;
  driver.keys = SchedulingDriver::Keys::by_hand;
  driver.submit(porep(1));
  driver.submit(snap(2));
  driver.handle(KeyLoadFailed{0, "porep-32g", "no such file"});
  ASSERT_THAT(driver.ended, SizeIs(1));
  EXPECT_EQ(driver.ended[0].ticket, 1u);
  EXPECT_EQ(driver.ended[0].how, JobEnd::failed);
  EXPECT_EQ(driver.ended[0].message, "no such file");
}

TEST(SchedulingKeys, AreLoadedAndEvictedOnDemand) {
  SchedulingDriver driver;
  driver.handle(KeyWanted{0, "winning-32g", kGiB / 4, KeyWanted::Use::urgent});
  driver.handle(KeyWanted{0, "porep-32g", 44 * kGiB});
  driver.handle(KeyWanted{0, "wpost-64g", 100 * kGiB});
  driver.handle(KeyWanted{7, "porep-32g", kGiB});
  EXPECT_THAT(driver.loads, SizeIs(2));
  EXPECT_THAT(driver.keys_refused, SizeIs(2));
  driver.submit(porep(1, 1));
  driver.handle(KeyUnwanted{0, "porep-32g"});
  EXPECT_THAT(driver.keys_refused, SizeIs(3));  // it is in use
  driver.end(driver.last());
  driver.handle(KeyUnwanted{0, "porep-32g"});
  EXPECT_THAT(driver.evictions, SizeIs(1));
  driver.handle(KeyUnwanted{0, "porep-32g"});
  EXPECT_THAT(driver.keys_refused, SizeIs(4));  // it is gone
}

}  // namespace
}  // namespace cuzk::engine
