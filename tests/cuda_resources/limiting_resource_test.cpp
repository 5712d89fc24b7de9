#include "cuda/limiting_resource.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "cuda/device_buffer.h"
#include "cuda/statistics_resource.h"
#include "support/host_memory.h"

namespace cuzk::cuda {
namespace {

TEST(LimitingResource, RefusesWhatExceedsTheLimitWithoutAskingUpstream) {
  test::HostMemory host;
  StatisticsResource upstream(host);
  LimitingResource limited(upstream, 1000);
  const DeviceBuffer<u8> first(limited, 512);
  try {
    DeviceBuffer<u8>(limited, 500);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::resource_exhausted);
    EXPECT_STREQ(error.what(), "device memory: 512 bytes asked, 488 left of a limit of 1000");
  }
  EXPECT_EQ(upstream.statistics().allocations, 1U);
  EXPECT_NO_THROW(DeviceBuffer<u8>(limited, 256));
}

TEST(LimitingResource, WhatIsGivenBackCanBeHadAgain) {
  test::HostMemory upstream;
  LimitingResource limited(upstream, 512);
  for (int round = 0; round < 3; ++round) {
    const DeviceBuffer<u8> all(limited, 512);
    EXPECT_EQ(limited.in_use(), 512U);
    EXPECT_THROW(DeviceBuffer<u8>(limited, 1), Error);
  }
  EXPECT_EQ(limited.in_use(), 0U);
}

TEST(LimitingResource, ARefusalOfUpstreamCostsNothingOfTheLimit) {
  test::HostMemory host;
  test::FailingResource upstream(host, 1);
  LimitingResource limited(upstream, 1024);
  const DeviceBuffer<u8> first(limited, 256);
  EXPECT_THROW(DeviceBuffer<u8>(limited, 256), Error);
  EXPECT_EQ(limited.in_use(), 256U);
}

}  // namespace
}  // namespace cuzk::cuda
