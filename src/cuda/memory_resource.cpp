#include "cuda/memory_resource.h"

#include "base/failpoint.h"
#include "cuda/device.h"
#include "cuda/error.h"

namespace cuzk::cuda {
namespace {

constexpr std::size_t rounded_up(std::size_t bytes) {
  return (bytes + MemoryResource::kAlignment - 1) / MemoryResource::kAlignment * MemoryResource::kAlignment;
}

constexpr std::size_t kMost = SIZE_MAX - MemoryResource::kAlignment;

}  // namespace

void* MemoryResource::allocate(std::size_t bytes) {
  if (bytes > kMost) throw Error(Code::resource_exhausted, fmt::format("memory: no device has {} bytes", bytes));
  return bytes == 0 ? nullptr : take(rounded_up(bytes));
}

void MemoryResource::deallocate(void* memory, std::size_t bytes) noexcept {
  if (memory != nullptr) give_back(memory, rounded_up(bytes));
}

void* CudaMalloc::take(std::size_t bytes) {
  CUZK_FAILPOINT("cuda.malloc");
  const DeviceGuard guard(device_);
  void* memory = nullptr;
  check(cudaMalloc(&memory, bytes), fmt::format("cudaMalloc of {} bytes on device {}", bytes, device_));
  return memory;
}

void CudaMalloc::give_back(void* memory, std::size_t) noexcept { check_or_log(cudaFree(memory), "cudaFree"); }

void* PinnedMemory::take(std::size_t bytes) {
  CUZK_FAILPOINT("cuda.pin");
  void* memory = nullptr;
  check(cudaHostAlloc(&memory, bytes, cudaHostAllocPortable), fmt::format("cudaHostAlloc of {} bytes", bytes));
  return memory;
}

void PinnedMemory::give_back(void* memory, std::size_t) noexcept { check_or_log(cudaFreeHost(memory), "cudaFreeHost"); }

}  // namespace cuzk::cuda
