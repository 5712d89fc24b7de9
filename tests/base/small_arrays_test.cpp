#include "base/small_arrays.h"

#include <gtest/gtest.h>

#include <thread>

namespace cuzk {
namespace {

/// Under the address sanitizer there are no pages.
bool has_pages() {
  const SmallArray<u64> one(1);
  return small_array_bytes() > 0;
}

SmallArray<u64> numbers(u64 first) {
  SmallArray<u64> array(1 + first % 40);
  for (u64& number : array) number = first++;
  return array;
}

void expect_numbers(const SmallArray<u64>& array, u64 first) {
  ASSERT_EQ(array.size(), 1 + first % 40);
  for (const u64 number : array) ASSERT_EQ(number, first++);
}

TEST(SmallArrays, HoldWhatIsWrittenOverManyPages) {
  std::vector<SmallArray<u64>> arrays;
  for (u64 i = 0; i < 100'000; ++i) arrays.push_back(numbers(i));
  for (u64 i = 0; i < arrays.size(); ++i) expect_numbers(arrays[i], i);
}

TEST(SmallArrays, LieOneBehindTheOther) {
  if (!has_pages()) GTEST_SKIP() << "the address sanitizer has arrays of the heap";
  const SmallArray<u64> first(4), second(4);
  EXPECT_EQ(second.data(), first.data() + 4);
}

TEST(SmallArrays, GiveTheirPagesBack) {
  const std::size_t before = small_array_bytes();
  {
    std::vector<SmallArray<u64>> arrays(50'000, SmallArray<u64>(20));
    EXPECT_GE(small_array_bytes() - before, has_pages() ? 50'000u * 160 - (2u << 20) : 0u);
  }
  EXPECT_LE(small_array_bytes(), before + (2u << 20));  // the thread's own page
}

TEST(SmallArrays, APageWhoseArraysAreGoneIsFilledAgain) {
  if (!has_pages()) GTEST_SKIP() << "the address sanitizer has arrays of the heap";
  const u64* place = SmallArray<u64>(3).data();
  EXPECT_EQ(SmallArray<u64>(5).data(), place);
}

TEST(SmallArrays, EndInAnyThread) {
  std::vector<std::vector<SmallArray<u64>>> made(4);
  {
    std::vector<std::jthread> threads;
    for (u64 t = 0; t < made.size(); ++t)
      threads.emplace_back([&, t] {
        for (u64 i = 0; i < 20'000; ++i) {
          made[t].push_back(numbers(i));
          if (i % 3 == 0) made[t][i / 2] = numbers(i / 2);  // some go earlier
        }
      });
  }
  for (const auto& arrays : made)
    for (u64 i = 0; i < arrays.size(); ++i) expect_numbers(arrays[i], i);
  std::jthread([&] { made.clear(); }).join();
}

TEST(SmallArrays, LargeOnesAreOfTheHeap) {
  const std::size_t before = small_array_bytes();
  const SmallArray<u64> large(100'000, 7);
  EXPECT_EQ(small_array_bytes(), before);
  EXPECT_EQ(large.back(), 7u);
}

TEST(SmallArrays, WhatNoMachineHasIsRefused) { EXPECT_THROW(SmallArray<u64>(std::size_t{1} << 60), std::exception); }

}  // namespace
}  // namespace cuzk
