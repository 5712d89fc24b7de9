#include "base/thread_pool.h"

#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <numeric>
#include <stop_token>
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

Code code_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& error) {
    return error.code();
  }
  throw internal_error("test: nothing was thrown");
}

TEST(ThreadPool, AStoppedOneBeginsNoPiece) {
  ThreadPool pool(2);
  std::stop_source stop;
  ThreadPool stoppable = pool.until(stop.get_token());
  EXPECT_EQ(stoppable.threads(), pool.threads());
  stoppable.check_stop();
  std::atomic<int> count{0};
  stoppable.parallel_for(0, 10, 1, [&](std::size_t begin, std::size_t end) { count += static_cast<int>(end - begin); });
  EXPECT_EQ(count, 10);

  stop.request_stop();
  const auto fail = [](auto&&...) { FAIL(); };
  EXPECT_EQ(code_of([&] { stoppable.check_stop(); }), Code::cancelled);
  EXPECT_EQ(code_of([&] { stoppable.parallel_for(0, 10, 1, fail); }), Code::cancelled);
  EXPECT_EQ(code_of([&] { stoppable.invoke(fail, fail); }), Code::cancelled);
  stoppable.parallel_for(0, 0, 1, fail);
  pool.parallel_for(0, 10, 1, [&](std::size_t begin, std::size_t end) { count += static_cast<int>(end - begin); });
  EXPECT_EQ(count, 20) << "the pool that it was made of goes on";
}

TEST(ThreadPool, AStopInTheMiddleLeavesOutWhatHasNotBegun) {
  std::stop_source stop;
  ThreadPool pool = ThreadPool(2).until(stop.get_token());
  std::atomic<int> begun{0};
  const auto work = [&] {
    pool.parallel_for(0, 1000, 1, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        pool.check_stop();
        ++begun;
        stop.request_stop();
      }
    });
  };
  EXPECT_EQ(code_of(work), Code::cancelled);
  EXPECT_GE(begun, 1);
  EXPECT_LE(begun, 2) << "one in each thread";
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
