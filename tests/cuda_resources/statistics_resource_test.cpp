#include "cuda/statistics_resource.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "cuda/device_buffer.h"
#include "support/host_memory.h"

namespace cuzk::cuda {
namespace {

TEST(StatisticsResource, CountsCallsBytesAndTheirPeak) {
  test::HostMemory upstream;
  StatisticsResource counted(upstream);
  {
    const DeviceBuffer<u8> first(counted, 1000);
    const DeviceBuffer<u8> second(counted, 1);
    const DeviceBuffer<u8> none(counted, 0);
  }
  const DeviceBuffer<u8> third(counted, 512);
  EXPECT_EQ(counted.statistics(),
            (StatisticsResource::Statistics{.allocations = 3, .deallocations = 2, .bytes = 512, .peak = 1024 + 256}));
}

TEST(StatisticsResource, CountsRefusals) {
  test::HostMemory host;
  test::FailingResource upstream(host, 1);
  StatisticsResource counted(upstream);
  const DeviceBuffer<u8> first(counted, 256);
  EXPECT_THROW(DeviceBuffer<u8>(counted, 256), Error);
  EXPECT_EQ(counted.statistics(),
            (StatisticsResource::Statistics{.allocations = 1, .refusals = 1, .bytes = 256, .peak = 256}));
}

}  // namespace
}  // namespace cuzk::cuda
