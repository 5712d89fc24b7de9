#include "cuda/memory_resource.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/error.h"
#include "cuda/arena.h"
#include "cuda/device.h"
#include "cuda/device_buffer.h"
#include "cuda/error.h"
#include "cuda/pinned_pool.h"

namespace cuzk::cuda {
namespace {

Code code_when_asked_for(MemoryResource& resource, std::size_t bytes) {
  try {
    resource.deallocate(resource.allocate(bytes), bytes);
  } catch (const Error& error) {
    return error.code();
  }
  ADD_FAILURE() << bytes << " bytes were there";
  return Code::internal;
}

TEST(CudaMalloc, GivesBackWhatItTook) {
  CudaMalloc device(0);
  const std::size_t most = free_memory(0) / 8 * 5;
  for (int round = 0; round < 3; ++round) {
    const DeviceBuffer<u8> block(device, most);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(block.data()) % MemoryResource::kAlignment, 0U);
  }
}

TEST(CudaMalloc, MoreThanTheDeviceHasIsRefusedAndForgotten) {
  CudaMalloc device(0);
  EXPECT_EQ(code_when_asked_for(device, std::size_t{1} << 50), Code::resource_exhausted);
  EXPECT_NO_THROW(check_launch("nothing"));
}

TEST(PinnedMemory, CanBeWrittenByTheHostAndReadByTheDevice) {
  PinnedMemory pinned;
  PinnedPool pool(pinned, 4096, 2);
  CudaMalloc device(0);
  const Stream stream;
  const auto lease = pool.acquire();
  const auto items = lease.items<u32>();
  for (std::size_t i = 0; i < items.size(); ++i) items[i] = static_cast<u32>(3 * i);
  DeviceBuffer<u32> values(device, items.size());
  values.copy_from(items, stream);
  EXPECT_TRUE(std::ranges::equal(values.to_host(stream), items));
}

TEST(Arena, OnADeviceGivesWhatKernelsCanUse) {
  CudaMalloc device(0);
  Arena arena(device, std::size_t{1} << 20);
  const Stream stream;
  const std::vector<u64> ones(1000, 1), twos(2000, 2);
  DeviceBuffer<u64> first(arena, ones.size()), second(arena, twos.size());
  first.copy_from(ones, stream);
  second.copy_from(twos, stream);
  EXPECT_EQ(first.to_host(stream), ones);
  EXPECT_EQ(second.to_host(stream), twos);
}

}  // namespace
}  // namespace cuzk::cuda
