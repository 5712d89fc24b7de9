#include "base/progress.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace cuzk {
namespace {

TEST(Progress, ReportsStartEachPercentAndEnd) {
  std::vector<u64> reports;
  const ProgressCallback callback = [&](const ProgressUpdate& update) {
    EXPECT_EQ(update.stage, "reading");
    EXPECT_EQ(update.total, 1000U);
    reports.push_back(update.done);
  };
  Progress progress(callback, "reading", 1000);
  for (int i = 0; i < 1000; ++i) progress.advance(1);
  ASSERT_EQ(reports.size(), 101U);
  EXPECT_EQ(reports.front(), 0U);
  EXPECT_EQ(reports[1], 10U);
  EXPECT_EQ(reports.back(), 1000U);
}

TEST(Progress, NobodyNeedsToWatch) {
  const ProgressCallback nobody;
  Progress progress(nobody, "reading", 10);
  progress.advance(10);
}

TEST(Progress, CountsFromManyThreadsWithoutGoingBack) {
  u64 last = 0;
  const ProgressCallback callback = [&](const ProgressUpdate& update) {
    EXPECT_GE(update.done, last);
    last = update.done;
  };
  Progress progress(callback, "proving", 40'000);
  std::vector<std::jthread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&progress] {
      for (int k = 0; k < 10'000; ++k) progress.advance(1);
    });
  threads.clear();
  EXPECT_EQ(last, 40'000U);
}

}  // namespace
}  // namespace cuzk
