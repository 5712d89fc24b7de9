#include "cuda/arena.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <thread>

#include "base/error.h"
#include "cuda/device_buffer.h"
#include "cuda/statistics_resource.h"
#include "support/host_memory.h"

namespace cuzk::cuda {
namespace {

constexpr std::size_t kUnit = MemoryResource::kAlignment;

/// What an arena must do, told by the list of what is in use: the gaps between are what is free.
class Model {
 public:
  explicit Model(std::size_t capacity) : capacity_(capacity) {}

  std::size_t in_use() const {
    std::size_t sum = 0;
    for (const auto& [offset, bytes] : used_) sum += bytes;
    return sum;
  }

  /// Sizes of the gaps by offset.
  std::map<std::size_t, std::size_t> gaps() const {
    std::map<std::size_t, std::size_t> found;
    std::size_t end = 0;
    for (const auto& [offset, bytes] : used_) {
      if (offset > end) found.emplace(end, offset - end);
      end = offset + bytes;
    }
    if (capacity_ > end) found.emplace(end, capacity_ - end);
    return found;
  }

  std::size_t largest_gap() const {
    std::size_t largest = 0;
    for (const auto& [offset, bytes] : gaps()) largest = std::max(largest, bytes);
    return largest;
  }

  /// Takes `bytes` at `offset`, where the smallest gap that is large enough must begin.
  void take(std::size_t offset, std::size_t bytes) {
    const auto free = gaps();
    const auto gap = free.find(offset);
    RC_ASSERT(gap != free.end());
    RC_ASSERT(gap->second >= bytes);
    for (const auto& [other, size] : free) RC_ASSERT(size < bytes || size >= gap->second);
    used_.emplace(offset, bytes);
  }

  bool empty() const { return used_.empty(); }

  /// Gives the i-th block (modulo their number) back and returns its offset and size.
  std::pair<std::size_t, std::size_t> give_back(std::size_t i) {
    const auto block = std::next(used_.begin(), static_cast<std::ptrdiff_t>(i % used_.size()));
    const std::pair<std::size_t, std::size_t> found = *block;
    used_.erase(block);
    return found;
  }

 private:
  std::size_t capacity_;
  std::map<std::size_t, std::size_t> used_;
};

/// An arena and its model, driven together.
class Pair {
 public:
  explicit Pair(std::size_t capacity) : arena_(upstream_, capacity), model_(capacity), begin_(find_begin()) {}

  void take(std::size_t units) {
    const std::size_t bytes = units * kUnit;
    if (model_.largest_gap() < bytes) {
      RC_ASSERT_THROWS_AS(arena_.allocate(bytes), Error);
    } else {
      model_.take(static_cast<std::size_t>(static_cast<u8*>(arena_.allocate(bytes)) - begin_), bytes);
      peak_ = std::max(peak_, model_.in_use());
    }
    compare();
  }

  void give_back(std::size_t i) {
    if (model_.empty()) return;
    const auto [offset, bytes] = model_.give_back(i);
    arena_.deallocate(begin_ + offset, bytes);
    compare();
  }

  void give_all_back(std::size_t seed) {
    while (!model_.empty()) give_back(seed = seed * 5 + 1);
    RC_ASSERT(arena_.usage().largest_free == arena_.usage().capacity);
  }

 private:
  /// The first block of an empty arena is at its beginning.
  u8* find_begin() {
    void* const memory = arena_.allocate(kUnit);
    arena_.deallocate(memory, kUnit);
    arena_.reset_peak();
    return static_cast<u8*>(memory);
  }

  void compare() const {
    const auto usage = arena_.usage();
    RC_ASSERT(usage.in_use == model_.in_use());
    RC_ASSERT(usage.largest_free == model_.largest_gap());
    RC_ASSERT(usage.peak == peak_);
  }

  test::HostMemory upstream_;
  Arena arena_;
  Model model_;
  u8* begin_;
  std::size_t peak_ = 0;
};

RC_GTEST_PROP(Arena, DoesWhatAListOfGapsSays, ()) {
  const auto capacity = *rc::gen::inRange<std::size_t>(1, 200);
  const auto count = *rc::gen::inRange<std::size_t>(1, 300);
  Pair pair(capacity * kUnit);
  for (std::size_t i = 0; i < count; ++i) {
    if (*rc::gen::weightedElement<bool>({{3, true}, {2, false}})) {
      pair.take(*rc::gen::inRange<std::size_t>(1, 24));
    } else {
      pair.give_back(*rc::gen::arbitrary<u16>());
    }
  }
  pair.give_all_back(count);
}

TEST(Arena, TakesOneBlockFromUpstreamAndGivesItBack) {
  test::HostMemory host;
  StatisticsResource upstream(host);
  {
    Arena arena(upstream, 10 * kUnit - 1);
    EXPECT_EQ(arena.usage().capacity, 10 * kUnit);
    const DeviceBuffer<u64> values(arena, 3);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(values.data()) % kUnit, 0U);
    EXPECT_EQ(arena.usage().in_use, kUnit);
    EXPECT_EQ(upstream.statistics().allocations, 1U);
  }
  EXPECT_EQ(upstream.statistics().bytes, 0U);
  EXPECT_EQ(upstream.statistics().peak, 10 * kUnit);
}

TEST(Arena, SaysWhatWasAskedAndWhatIsFree) {
  test::HostMemory upstream;
  Arena arena(upstream, 1024);
  auto first = DeviceBuffer<u8>(arena, 256);
  const auto second = DeviceBuffer<u8>(arena, 256);
  first = {};
  try {
    DeviceBuffer<u8>(arena, 700);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::resource_exhausted);
    EXPECT_STREQ(error.what(), "arena: 768 bytes asked, 768 free of 1024, the largest free block has 512");
  }
  EXPECT_EQ(arena.usage().in_use, 256U);
}

TEST(Arena, TellsWhatLiesWhere) {
  test::HostMemory upstream;
  Arena arena(upstream, 8 * kUnit);
  const auto take = [&](MemoryUse use) {
    const MemoryUseScope scope(use);
    return DeviceBuffer<u8>(arena, kUnit);
  };
  const auto key = take(MemoryUse::key), more = take(MemoryUse::key);
  auto tile = take(MemoryUse::tile);
  const DeviceBuffer<u8> work(arena, kUnit);
  const auto told = [&] {
    std::string text;
    for (const auto& [use, bytes] : arena.blocks())
      text += std::string(bytes / kUnit, "fktw"[static_cast<u8>(use)]) + ' ';
    return text;
  };
  EXPECT_EQ(told(), "kk t w ffff ");
  tile = {};
  EXPECT_EQ(told(), "kk f w ffff ");
}

TEST(Arena, OfNothingHasNothing) {
  test::HostMemory upstream;
  Arena arena(upstream, 0);
  EXPECT_EQ(arena.allocate(0), nullptr);
  EXPECT_THROW(arena.allocate(1), Error);
  EXPECT_THROW(Arena(upstream, SIZE_MAX), Error);
}

TEST(Arena, PeakStartsAgainFromWhatIsInUse) {
  test::HostMemory upstream;
  Arena arena(upstream, 8 * kUnit);
  const DeviceBuffer<u8> kept(arena, kUnit);
  { const DeviceBuffer<u8> stage(arena, 5 * kUnit); }
  EXPECT_EQ(arena.usage().peak, 6 * kUnit);
  arena.reset_peak();
  EXPECT_EQ(arena.usage().peak, kUnit);
}

TEST(Arena, KeepsItsAccountsWhenGivenWhatIsNotItsOwn) {
  test::HostMemory upstream;
  Arena arena(upstream, 8 * kUnit);
  void* const block = arena.allocate(2 * kUnit);
  arena.deallocate(block, kUnit);
  arena.deallocate(static_cast<u8*>(block) + kUnit, kUnit);
  EXPECT_EQ(arena.usage().in_use, 2 * kUnit);
  arena.deallocate(block, 2 * kUnit);
  arena.deallocate(block, 2 * kUnit);
  EXPECT_EQ(arena.usage().in_use, 0U);
}

/// Every thread writes its own mark into what it holds and must find it there.
void take_and_mark(Arena& arena, u64 mark) {
  for (std::size_t round = 0; round < 500; ++round) {
    DeviceBuffer<u64> values(arena, 32 + round % 7 * 40);
    std::ranges::fill(values.span(), mark);
    const DeviceBuffer<u64> others(arena, 64);
    ASSERT_TRUE(std::ranges::all_of(values.span(), [&](u64 value) { return value == mark; }));
  }
}

TEST(Arena, GivesThreadsBlocksOfTheirOwn) {
  test::HostMemory upstream;
  Arena arena(upstream, 64 * kUnit);
  {
    std::vector<std::jthread> threads;
    for (u64 mark = 1; mark <= 4; ++mark) threads.emplace_back([&arena, mark] { take_and_mark(arena, mark); });
  }
  EXPECT_EQ(arena.usage().in_use, 0U);
  EXPECT_EQ(arena.usage().largest_free, 64 * kUnit);
}

}  // namespace
}  // namespace cuzk::cuda
