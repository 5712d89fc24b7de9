#include "cuda/pinned_pool.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <latch>
#include <thread>

#include "base/error.h"
#include "cuda/statistics_resource.h"
#include "support/host_memory.h"

namespace cuzk::cuda {
namespace {

TEST(PinnedPool, LendsEachBlockOnceAndTakesMemoryOnce) {
  test::HostMemory host;
  StatisticsResource memory(host);
  {
    PinnedPool pool(memory, 1000, 3);
    const auto first = pool.acquire(), second = pool.acquire(), third = pool.acquire();
    EXPECT_EQ(first.bytes().size(), 1024U);
    EXPECT_EQ(first.items<u64>().size(), 128U);
    EXPECT_NE(first.bytes().data(), second.bytes().data());
    EXPECT_NE(second.bytes().data(), third.bytes().data());
    EXPECT_FALSE(pool.try_acquire().has_value());
    std::ranges::fill(third.items<u64>(), u64{7});
  }
  EXPECT_EQ(memory.statistics().allocations, 1U);
  EXPECT_EQ(memory.statistics().peak, 3072U);
  EXPECT_EQ(memory.statistics().bytes, 0U);
}

TEST(PinnedPool, AMovedLeaseIsGivenBackOnce) {
  test::HostMemory memory;
  PinnedPool pool(memory, 256, 2);
  {
    auto first = pool.acquire();
    auto second = pool.acquire();
    const auto third(std::move(first));
    second = pool.try_acquire() ? pool.acquire() : std::move(second);
    EXPECT_FALSE(pool.try_acquire().has_value());
  }
  const auto first = pool.try_acquire(), second = pool.try_acquire();
  EXPECT_TRUE(first && second);
  EXPECT_FALSE(pool.try_acquire().has_value());
}

TEST(PinnedPool, AWaitingThreadGetsTheBlockGivenBack) {
  test::HostMemory memory;
  PinnedPool pool(memory, 256, 1);
  std::optional<PinnedPool::Lease> lease = pool.acquire();
  const std::byte* const block = lease->bytes().data();
  std::latch started(1);
  const std::byte* got = nullptr;
  std::jthread waiter([&] {
    started.count_down();
    got = pool.acquire().bytes().data();
  });
  started.wait();
  lease.reset();
  waiter.join();
  EXPECT_EQ(got, block);
}

TEST(PinnedPool, AWaitingThreadCanBeStopped) {
  test::HostMemory memory;
  PinnedPool pool(memory, 256, 1);
  const auto lease = pool.acquire();
  Code code = Code::internal;
  std::jthread waiter([&](const std::stop_token& stop) {
    try {
      pool.acquire(stop);
    } catch (const Error& error) {
      code = error.code();
    }
  });
  waiter.request_stop();
  waiter.join();
  EXPECT_EQ(code, Code::cancelled);
}

TEST(PinnedPool, ThreadsNeverShareABlock) {
  test::HostMemory memory;
  PinnedPool pool(memory, 256, 2);
  std::vector<std::jthread> threads;
  for (u64 mark = 1; mark <= 4; ++mark)
    threads.emplace_back([&pool, mark] {
      for (int round = 0; round < 500; ++round) {
        const auto lease = pool.acquire();
        std::ranges::fill(lease.items<u64>(), mark);
        ASSERT_TRUE(std::ranges::all_of(lease.items<u64>(), [&](u64 item) { return item == mark; }));
      }
    });
}

TEST(PinnedPool, ASizeThatOverflowsIsRefused) {
  test::HostMemory memory;
  EXPECT_THROW(PinnedPool(memory, SIZE_MAX, 1), Error);
  EXPECT_THROW(PinnedPool(memory, std::size_t{1} << 40, std::size_t{1} << 30), Error);
}

}  // namespace
}  // namespace cuzk::cuda
