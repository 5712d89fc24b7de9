#include "cuda/device.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "cuda/error.h"

namespace cuzk::cuda {
namespace {

int current_device() {
  int ordinal = -1;
  check(cudaGetDevice(&ordinal), "cudaGetDevice");
  return ordinal;
}

TEST(Devices, SayWhatAPlanNeeds) {
  const auto found = devices();
  for (std::size_t i = 0; i < found.size(); ++i) {
    const auto& device = found[i];
    EXPECT_EQ(device.ordinal, static_cast<int>(i));
    EXPECT_FALSE(device.name.empty());
    EXPECT_FALSE(device.pci_bus.empty());
    EXPECT_GE(device.major, 8) << "oldest card that is supported: sm_80";
    EXPECT_GT(device.multiprocessors, 0U);
    EXPECT_GE(device.threads_per_multiprocessor, 1024U);
    EXPECT_GE(device.registers_per_multiprocessor, 65536U);
    EXPECT_GE(device.shared_memory_per_multiprocessor, device.shared_memory_per_block);
    EXPECT_GE(device.shared_memory_per_block, std::size_t{48} << 10);
    EXPECT_GT(device.l2_cache, 0U);
    EXPECT_LE(free_memory(device.ordinal), device.memory);
  }
}

TEST(DeviceGuard, PutsTheFormerDeviceBack) {
  const int former = current_device(), last = static_cast<int>(devices().size()) - 1;
  {
    const DeviceGuard guard(last);
    EXPECT_EQ(current_device(), last);
  }
  EXPECT_EQ(current_device(), former);
}

TEST(DeviceGuard, RefusesADeviceThatIsNotThere) {
  EXPECT_THROW(DeviceGuard(static_cast<int>(devices().size())), Error);
  EXPECT_NO_THROW(check_launch("nothing")) << "the failure must not be remembered";
}

}  // namespace
}  // namespace cuzk::cuda
