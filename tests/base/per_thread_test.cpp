#include "base/per_thread.h"

#include <gtest/gtest.h>

#include <atomic>

#include "base/thread_pool.h"

namespace cuzk {
namespace {

/// Counts how many there are, and whether two pieces ever use one at the same time.
struct Counter {
  static inline std::atomic<std::size_t> made = 0;
  Counter() { ++made; }
  std::atomic<int> users = 0;
  std::size_t uses = 0;
};

TEST(PerThread, EachThreadHasOneThatStays) {
  ThreadPool pool(2);
  Counter::made = 0;
  PerThread<Counter> counters;
  std::atomic<bool> shared = false;
  for (int round = 0; round < 10; ++round) {
    pool.parallel_for(0, 1000, 1, [&](std::size_t, std::size_t) {
      Counter& own = counters.own();
      if (own.users++ != 0) shared = true;
      ++own.uses;
      --own.users;
    });
  }
  EXPECT_FALSE(shared);
  EXPECT_LE(Counter::made, 2U);
}

TEST(PerThread, OneThreadFindsWhatItLeft) {
  PerThread<int> numbers;
  numbers.own() = 7;
  EXPECT_EQ(numbers.own(), 7);
}

}  // namespace
}  // namespace cuzk
