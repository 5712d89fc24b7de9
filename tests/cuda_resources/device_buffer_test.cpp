#include "cuda/device_buffer.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "cuda/statistics_resource.h"
#include "support/host_memory.h"

// What CUDA has to do with buffers is in tests/cuda.
namespace cuzk::cuda {
namespace {

TEST(DeviceBuffer, OwnsItsMemoryThroughMoves) {
  test::HostMemory host;
  StatisticsResource memory(host);
  {
    DeviceBuffer<u32> first(memory, 100);
    const u32* const place = first.data();
    DeviceBuffer<u32> second(std::move(first));
    EXPECT_EQ(second.data(), place);
    EXPECT_EQ(second.span().size(), 100U);
    DeviceBuffer<u32> third;
    EXPECT_TRUE(third.empty());
    third = std::move(second);
    EXPECT_EQ(third.data(), place);
    third = DeviceBuffer<u32>(memory, 1);
    EXPECT_EQ(memory.statistics().bytes, 256U);
  }
  EXPECT_EQ(memory.statistics().allocations, memory.statistics().deallocations);
}

TEST(DeviceBuffer, ASizeThatOverflowsIsRefused) {
  test::HostMemory memory;
  for (const std::size_t size : {SIZE_MAX, SIZE_MAX / 8 + 1, SIZE_MAX / 8}) {
    try {
      DeviceBuffer<u64>(memory, size);
      FAIL() << size;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), Code::resource_exhausted);
    }
  }
}

TEST(DeviceBuffer, OfNothingTakesNothing) {
  test::HostMemory host;
  StatisticsResource memory(host);
  const DeviceBuffer<u64> none(memory, 0);
  EXPECT_EQ(none.data(), nullptr);
  EXPECT_EQ(memory.statistics().allocations, 0U);
}

}  // namespace
}  // namespace cuzk::cuda
