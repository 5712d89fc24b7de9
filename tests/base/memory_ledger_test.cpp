#include "base/memory_ledger.h"

#include <gtest/gtest.h>

#include <thread>

#include "base/error.h"

namespace cuzk {
namespace {

TEST(MemoryLedger, ReservationsReturnAtTheirEndAndPeaksStay) {
  MemoryLedger ledger(100);
  {
    const auto keys = ledger.reserve("keys", 60);
    const auto jobs = ledger.reserve("jobs", 30);
    EXPECT_EQ(ledger.snapshot().reserved, 90U);
  }
  const auto state = ledger.snapshot();
  EXPECT_EQ(state.reserved, 0U);
  EXPECT_EQ(state.peak, 90U);
  ASSERT_EQ(state.accounts.size(), 2U);
  EXPECT_EQ(state.accounts[0].name, "jobs");
  EXPECT_EQ(state.accounts[0].bytes, 0U);
  EXPECT_EQ(state.accounts[0].peak, 30U);
}

TEST(MemoryLedger, RefusesWhatExceedsTheBudgetAndSaysWhy) {
  MemoryLedger ledger(100);
  const auto keys = ledger.reserve("keys", 60);
  EXPECT_FALSE(ledger.try_reserve("jobs", 41).has_value());
  EXPECT_FALSE(ledger.try_reserve("jobs", UINT64_MAX).has_value());
  try {
    ledger.reserve("jobs", 41);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::resource_exhausted);
    EXPECT_STREQ(error.what(), "memory: 41 bytes asked for jobs, 40 left of a budget of 100");
  }
  EXPECT_TRUE(ledger.try_reserve("jobs", 40).has_value());
}

TEST(MemoryLedger, AReservationChangesItsSize) {
  MemoryLedger ledger(100);
  auto keys = ledger.reserve("keys", 10);
  keys.resize(100);
  EXPECT_THROW(keys.resize(101), Error);
  EXPECT_EQ(keys.bytes(), 100U);
  keys.resize(5);
  EXPECT_EQ(ledger.snapshot().reserved, 5U);
}

TEST(MemoryLedger, MovingAReservationCountsItOnce) {
  MemoryLedger ledger(100);
  auto first = ledger.reserve("keys", 10);
  auto second = ledger.reserve("jobs", 20);
  first = std::move(second);
  EXPECT_EQ(ledger.snapshot().reserved, 20U);
  { const MemoryLedger::Reservation third(std::move(first)); }
  EXPECT_EQ(ledger.snapshot().reserved, 0U);
}

TEST(MemoryLedger, ThreadsNeverExceedTheBudget) {
  MemoryLedger ledger(10);
  std::vector<std::jthread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&ledger] {
      for (int k = 0; k < 1000; ++k) ledger.try_reserve("jobs", 4);
    });
  threads.clear();
  EXPECT_EQ(ledger.snapshot().reserved, 0U);
  EXPECT_LE(ledger.snapshot().peak, 8U);
}

}  // namespace
}  // namespace cuzk
