#include "base/thread_pool.h"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "base/error.h"

namespace cuzk {
namespace {

TEST(ThreadPool, EveryItemIsVisitedOnce) {
  ThreadPool pool(2);
  std::vector<int> visits(10'001, 0);
  pool.parallel_for(1, visits.size(), 16, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) ++visits[i];
  });
  EXPECT_EQ(visits[0], 0);
  EXPECT_EQ(std::accumulate(visits.begin(), visits.end(), 0), 10'000);
}

TEST(ThreadPool, AnEmptyRangeIsNoWork) {
  ThreadPool pool(2);
  pool.parallel_for(5, 5, 0, [](std::size_t, std::size_t) { FAIL(); });
  pool.parallel_for(5, 4, 0, [](std::size_t, std::size_t) { FAIL(); });
}

TEST(ThreadPool, AnExceptionReachesTheCaller) {
  ThreadPool pool(2);
  EXPECT_THROW(pool.parallel_for(0, 100, 1,
                                 [](std::size_t begin, std::size_t) {
                                   if (begin == 57) throw invalid_input("item {}", begin);
                                 }),
               Error);
}

TEST(ThreadPool, NestedWorkEnds) {
  ThreadPool pool(2);
  std::atomic<int> count{0};
  pool.parallel_for(0, 4, 1, [&](std::size_t, std::size_t) { pool.invoke([&] { ++count; }, [&] { ++count; }); });
  EXPECT_EQ(count, 8);
}

TEST(ThreadPool, KeepsToItsNumberOfThreads) {
  EXPECT_EQ(ThreadPool(1).threads(), 1U);
  EXPECT_GE(ThreadPool::shared().threads(), 1U);
}

}  // namespace
}  // namespace cuzk
