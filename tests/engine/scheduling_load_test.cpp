// Many jobs, and loads that never end.
#include <gtest/gtest.h>

#include "scheduling_driver.h"

namespace cuzk::engine {
namespace {

TEST(SchedulingLoad, TenThousandJobsWaitAndAllEnd) {
  SchedulerPolicy policy;
  policy.input_budget = u64{1} << 40;
  SchedulingDriver driver(policy);
  for (Ticket ticket = 1; ticket <= 10'000; ++ticket) {
    JobSpec job = ticket % 3 == 0 ? snap(ticket, 2) : porep(ticket, 2);
    if (ticket % 5 == 0) job.deadline = Time{} + 100h;
    driver.submit(job);
  }
  EXPECT_EQ(driver.scheduler.queue_position(9'999), 9'998u);
  driver.finish_everything();
  EXPECT_EQ(driver.started.size(), 20'000u);
  EXPECT_EQ(driver.ended.size(), 10'000u);
}

TEST(SchedulingLoad, LowEndsThoughNormalNeverDoes) {
  SchedulingDriver driver;
  driver.submit(porep(1, 1));
  JobSpec low = porep(2, 1);
  low.priority = Priority::low;
  driver.submit(low);
  for (Ticket ticket = 3; driver.now < Time{} + 9min; ticket += 2) {
    driver.submit(porep(ticket, 1));
    driver.submit(porep(ticket + 1, 1));
    driver.pass(10s);
    driver.end(driver.last());
    ASSERT_NE(driver.last().partitions[0].ticket, 2u);
  }
  driver.pass(1min);  // it rises, and is due before all that came after it
  driver.end(driver.last());
  EXPECT_EQ(driver.last().partitions[0].ticket, 2u);
}

TEST(SchedulingLoad, ASectorDoesNotWaitForEverBehindAnotherCircuitsSectors) {
  SchedulingDriver driver({}, {card(0, 80 * kGiB)});  // one key at a time
  driver.submit(porep(1, 1));
  driver.submit(snap(2, 1));
  for (Ticket ticket = 3; driver.now < Time{} + 4min; ++ticket) {
    driver.submit(porep(ticket, 1));
    driver.pass(10s);
    driver.end(driver.last());
    ASSERT_NE(driver.last().circuit, "snap-32g");
  }
  driver.pass(2min);  // swap_patience
  driver.end(driver.last());
  EXPECT_EQ(driver.last().circuit, "snap-32g");
}

TEST(SchedulingLoad, AKindThatIsStuckStopsNoOther) {
  SchedulerPolicy policy;
  policy.kinds[static_cast<std::size_t>(Kind::porep)].max_batches = 1;
  policy.kinds[static_cast<std::size_t>(Kind::porep)].max_queued = 100;
  policy.input_budget = u64{1} << 40;
  SchedulingDriver driver(policy, {DeviceSpec{0, 200 * kGiB, 4 * kGiB, 2, 1}});
  for (Ticket ticket = 1; ticket <= 200; ++ticket) driver.submit(porep(ticket));
  const StartBatch stuck = driver.last();
  EXPECT_EQ(driver.refused.size(), 99u);
  for (Ticket ticket = 1'000; ticket < 1'100; ticket += 2) {
    driver.submit(snap(ticket, 1));
    driver.submit(winning(ticket + 1));
    driver.pass(1min);
    for (std::size_t i = driver.started.size(); i-- > 0;)
      if (driver.started[i].batch != stuck.batch) driver.end(driver.started[i]);
  }
  EXPECT_EQ(driver.ended.size(), 100u);
  EXPECT_TRUE(driver.preempted.empty());
}

}  // namespace
}  // namespace cuzk::engine
