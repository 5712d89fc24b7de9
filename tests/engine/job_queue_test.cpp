#include "engine/job_queue.h"

#include <gtest/gtest.h>

#include <string>

namespace cuzk::engine {
namespace {

using Pointer = std::shared_ptr<std::string>;

Pointer job(const char* name) { return std::make_shared<std::string>(name); }

TEST(JobQueue, HigherPrioritiesFirstThenTheOrderOfArrival) {
  JobQueue<std::string> queue;
  queue.push(Priority::normal, job("normal 1"));
  queue.push(Priority::low, job("low"));
  queue.push(Priority::critical, job("critical"));
  queue.push(Priority::normal, job("normal 2"));
  queue.push(Priority::high, job("high"));
  for (const char* expected : {"critical", "high", "normal 1", "normal 2", "low"}) EXPECT_EQ(*queue.pop(), expected);
  EXPECT_EQ(queue.pop(), nullptr);
}

TEST(JobQueue, TellsHowManyGoBefore) {
  JobQueue<std::string> queue;
  const auto first = job("first"), second = job("second"), urgent = job("urgent");
  queue.push(Priority::normal, first);
  queue.push(Priority::normal, second);
  EXPECT_EQ(queue.position(*second), 1u);
  queue.push(Priority::high, urgent);
  EXPECT_EQ(queue.position(*second), 2u);
  EXPECT_EQ(queue.position(*urgent), 0u);
  EXPECT_EQ(queue.position(*job("another")), std::nullopt);
}

TEST(JobQueue, RemovesOnlyWhatItHolds) {
  JobQueue<std::string> queue;
  const auto held = job("held");
  queue.push(Priority::normal, held);
  EXPECT_FALSE(queue.remove(*job("held")));
  EXPECT_TRUE(queue.remove(*held));
  EXPECT_FALSE(queue.remove(*held));
  EXPECT_TRUE(queue.empty());
}

}  // namespace
}  // namespace cuzk::engine
