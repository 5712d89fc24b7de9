#include "cuda/device_buffer.h"

#include <gtest/gtest.h>

#include <numeric>

#include "base/error.h"

namespace cuzk::cuda {
namespace {

class DeviceBufferCopies : public testing::Test {
 protected:
  DeviceBuffer<u32> on_device(const std::vector<u32>& host) {
    DeviceBuffer<u32> buffer(memory_, host.size());
    buffer.copy_from(host, stream_);
    return buffer;
  }

  CudaMalloc memory_{0};
  const Stream stream_;
};

std::vector<u32> counting(std::size_t size) {
  std::vector<u32> values(size);
  std::iota(values.begin(), values.end(), 1);
  return values;
}

TEST_F(DeviceBufferCopies, GoToTheDeviceAndBack) {
  for (const std::size_t size : {0, 1, 1000, 1 << 20})
    EXPECT_EQ(on_device(counting(size)).to_host(stream_), counting(size)) << size;
}

TEST_F(DeviceBufferCopies, GoFromDeviceToDeviceAndInParts) {
  auto buffer = on_device(counting(8));
  copy(buffer.span().first(4), std::as_const(buffer).span().last(4), stream_);
  EXPECT_EQ(buffer.to_host(stream_), (std::vector<u32>{5, 6, 7, 8, 5, 6, 7, 8}));
}

TEST_F(DeviceBufferCopies, OfAnotherSizeAreRefused) {
  DeviceBuffer<u32> buffer(memory_, 8);
  EXPECT_THROW(buffer.copy_from(counting(7), stream_), Error);
  EXPECT_THROW(buffer.copy_from(counting(9), stream_), Error);
}

TEST_F(DeviceBufferCopies, ZerosFillTheWholeBuffer) {
  auto buffer = on_device(counting(1000));
  buffer.fill_zero(stream_);
  EXPECT_EQ(buffer.to_host(stream_), std::vector<u32>(1000, 0));
}

}  // namespace
}  // namespace cuzk::cuda
