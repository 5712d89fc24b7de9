// The scheduler with several devices, and without one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "scheduling_driver.h"

namespace cuzk::engine {
namespace {

using testing::ElementsAre;
using testing::SizeIs;

TEST(SchedulingDevices, WhatRanOnALostDeviceRunsElsewhere) {
  SchedulingDriver driver({}, {card(0), card(1)});
  driver.submit(porep(1, 2));
  const StartBatch lost = driver.last();
  driver.handle(DeviceLost{lost.device});
  ASSERT_THAT(driver.started, SizeIs(2));
  EXPECT_NE(driver.last().device, lost.device);
  EXPECT_EQ(driver.last().partitions, lost.partitions);
  driver.end(lost);  // too late: ignored
  EXPECT_TRUE(driver.ended.empty());
  driver.end(driver.last());
  driver.end(driver.last());
  ASSERT_THAT(driver.ended, SizeIs(1));
  EXPECT_EQ(driver.ended[0].how, JobEnd::completed);
}

TEST(SchedulingDevices, AKindLeavesLanesOfEachToTheOthers) {
  const auto with_lanes = [](DeviceId id) { return DeviceSpec{id, 400 * kGiB, 0, 3, 1, 2}; };
  SchedulingDriver driver({}, {with_lanes(0), with_lanes(1)});
  for (const DeviceId id : {0, 1}) driver.handle(KeyWanted{id, "porep-32g", 44 * kGiB, KeyWanted::Use::ordinary});
  driver.submit(porep(1));
  ASSERT_THAT(driver.started, SizeIs(4));
  EXPECT_EQ(std::count_if(driver.started.begin(), driver.started.end(), [](const auto& s) { return s.device == 0; }),
            2);
  driver.submit(snap(2));
  EXPECT_THAT(driver.tickets_started(), ElementsAre(1, 1, 1, 1, 2));
}

TEST(SchedulingDevices, AKindAtItsLimitPreemptsNoOther) {
  SchedulingDriver driver({}, {DeviceSpec{0, 400 * kGiB, 0, 3, 1, 2}});
  driver.submit(snap(1, 1));
  for (Ticket ticket = 2; ticket <= 4; ++ticket) driver.submit(window(ticket));
  EXPECT_THAT(driver.tickets_started(), ElementsAre(1, 2, 3));
  EXPECT_THAT(driver.preempted, testing::IsEmpty());
}

TEST(SchedulingDevices, TheLossOfOneCountsOnceHoweverLargeTheBatchIs) {
  SchedulerPolicy policy;
  policy.max_batch_size = 5;
  SchedulingDriver driver(policy, {card(0, 300 * kGiB), card(1, 300 * kGiB)});
  driver.submit(porep(1));
  driver.handle(DeviceLost{driver.last().device});
  driver.finish_everything();
  ASSERT_THAT(driver.ended, SizeIs(1));
  EXPECT_EQ(driver.ended[0].how, JobEnd::completed);
}

TEST(SchedulingDevices, ACopyOfAKeyThatFailedIsNotTriedAllTheTime) {
  SchedulingDriver driver({}, {card(0), card(1)});
  driver.keys = SchedulingDriver::Keys::by_hand;
  driver.submit(porep(1, 40));
  ASSERT_THAT(driver.loads, SizeIs(1));
  const DeviceId first = driver.loads[0].device;
  driver.handle(KeyLoaded{first, "porep-32g"});
  ASSERT_THAT(driver.loads, SizeIs(2)) << "many wait";
  driver.handle(KeyLoadFailed{driver.loads[1].device, "porep-32g", "there is no room"});
  EXPECT_THAT(driver.loads, SizeIs(2));
  EXPECT_TRUE(driver.ended.empty()) << "the other one has it";
  driver.pass(5min);
  EXPECT_THAT(driver.loads, SizeIs(3));
}

TEST(SchedulingDevices, AJobThatLosesThemAllTheTimeFails) {
  SchedulingDriver driver;
  driver.submit(porep(1, 2));
  for (int i = 0; i < 4; ++i) {
    EXPECT_TRUE(driver.ended.empty());
    driver.handle(DeviceLost{0});
    driver.handle(DeviceAdded{card(0)});
  }
  ASSERT_THAT(driver.ended, SizeIs(1));
  EXPECT_EQ(driver.ended[0].how, JobEnd::failed);
}

TEST(SchedulingDevices, JobsWaitForADeviceThatComesBack) {
  SchedulingDriver driver;
  driver.submit(porep(1, 1));
  driver.handle(DeviceLost{0});
  driver.pass(1h);
  driver.handle(DeviceAdded{card(0)});
  driver.finish_everything();
  ASSERT_THAT(driver.ended, SizeIs(1));
  EXPECT_EQ(driver.ended[0].how, JobEnd::completed);
}

}  // namespace
}  // namespace cuzk::engine
