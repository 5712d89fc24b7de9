#include "base/page_pool.h"

#include <gtest/gtest.h>

#include <cstring>

#include "base/buffer.h"

namespace cuzk {
namespace {

constexpr std::size_t kPage = std::size_t{2} << 20;

/// Takes memory and writes all of it.
u8* taken(PagePool& pool, std::size_t bytes) {
  u8* const memory = static_cast<u8*>(pool.take(bytes));
  EXPECT_NE(memory, nullptr);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory) % kPage, 0u);
  std::memset(memory, 0xab, bytes);
  return memory;
}

TEST(PagePool, KeepsNothingUntilToldTo) {
  PagePool pool;
  pool.give(taken(pool, kPage), kPage);
  EXPECT_EQ(pool.release(), 0u);
}

TEST(PagePool, GivesTheSameMemoryAgainForTheSameSize) {
  PagePool pool;
  pool.keep(8 * kPage);
  u8* const first = taken(pool, 3 * kPage - 5);
  pool.give(first, 3 * kPage - 5);
  u8* const second = taken(pool, 3 * kPage - 100);
  EXPECT_EQ(second, first);
  u8* const other = taken(pool, 3 * kPage);
  EXPECT_NE(other, first);
  pool.give(second, 3 * kPage - 100);
  pool.give(other, 3 * kPage);
  EXPECT_EQ(pool.release(), 6 * kPage);
  EXPECT_EQ(pool.release(), 0u);
}

TEST(PagePool, TakesTheSmallestThatFitsAndLeavesWhatIsTooLarge) {
  PagePool pool;
  pool.keep(64 * kPage);
  u8* const large = taken(pool, 20 * kPage);
  u8* const fitting = taken(pool, 10 * kPage);
  pool.give(large, 20 * kPage);
  pool.give(fitting, 10 * kPage);
  EXPECT_NE(taken(pool, 2 * kPage), fitting);  // 10 pages for 2 would be a waste
  EXPECT_EQ(taken(pool, 9 * kPage), fitting);
  EXPECT_EQ(taken(pool, kPage), fitting + 9 * kPage);  // what was left of it
  EXPECT_EQ(pool.release(), 20 * kPage);
}

TEST(PagePool, DropsTheOldestAboveItsBound) {
  PagePool pool;
  pool.keep(5 * kPage);
  u8* const old = taken(pool, 2 * kPage);
  u8* const young = taken(pool, 3 * kPage);
  u8* const youngest = taken(pool, kPage);
  pool.give(old, 2 * kPage);
  pool.give(young, 3 * kPage);
  pool.give(youngest, kPage);
  EXPECT_EQ(taken(pool, 3 * kPage), young);
  EXPECT_EQ(pool.release(), kPage);
  u8* const huge = taken(pool, 6 * kPage);
  pool.give(huge, 6 * kPage);
  EXPECT_EQ(pool.release(), 0u);
}

TEST(PagePool, ALowerBoundGivesBackWhatIsMore) {
  PagePool pool;
  pool.keep(5 * kPage);
  u8* const first = taken(pool, 2 * kPage);
  u8* const second = taken(pool, 2 * kPage);
  pool.give(first, 2 * kPage);
  pool.give(second, 2 * kPage);
  pool.keep(3 * kPage);
  EXPECT_EQ(pool.release(), 2 * kPage);
}

TEST(PagePool, WhatIsKeptStandsInTheLedger) {
  MemoryLedger ledger(4 * kPage);
  PagePool pool;
  pool.keep(64 * kPage, &ledger);
  u8* const first = taken(pool, 3 * kPage);
  u8* const second = taken(pool, 2 * kPage);
  EXPECT_EQ(ledger.snapshot().reserved, 0u);  // who uses memory reserves it himself
  pool.give(first, 3 * kPage);
  ASSERT_EQ(ledger.snapshot().accounts.size(), 1u);
  EXPECT_EQ(ledger.snapshot().accounts[0].name, "kept pages");
  EXPECT_EQ(ledger.snapshot().accounts[0].bytes, 3 * kPage);
  pool.give(second, 2 * kPage);  // above the budget: not kept
  EXPECT_EQ(ledger.snapshot().reserved, 3 * kPage);
  EXPECT_EQ(taken(pool, 3 * kPage), first);
  EXPECT_EQ(ledger.snapshot().reserved, 0u);
  pool.give(first, 3 * kPage);
  EXPECT_EQ(pool.release(), 3 * kPage);
  EXPECT_EQ(ledger.snapshot().reserved, 0u);
}

TEST(PagePool, RefusesWhatNoMachineHas) {
  PagePool pool;
  EXPECT_EQ(pool.take(SIZE_MAX), nullptr);
  EXPECT_EQ(pool.take(SIZE_MAX / 2), nullptr);
}

TEST(PagePool, LargeBuffersUseTheOneOfTheProcess) {
  PagePool::shared().keep(8 * kPage);
  const u64* first = nullptr;
  {
    Buffer<u64> buffer(kPage / 4);
    first = buffer.data();
    buffer[0] = buffer[kPage / 4 - 1] = 1;
  }
  EXPECT_EQ(Buffer<u64>(kPage / 4).data(), first);
  PagePool::shared().keep(0);
  EXPECT_EQ(PagePool::shared().release(), 0u);
}

}  // namespace
}  // namespace cuzk
