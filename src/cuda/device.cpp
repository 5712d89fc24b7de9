#include "cuda/device.h"

#include <array>

#include "base/failpoint.h"
#include "cuda/error.h"

namespace cuzk::cuda {
namespace {

int device_count() {
  int count = 0;
  const cudaError_t status = cudaGetDeviceCount(&count);
  if (status == cudaErrorNoDevice || status == cudaErrorInsufficientDriver || status == cudaErrorStubLibrary) {
    cudaGetLastError();
    return 0;
  }
  check(status, "cudaGetDeviceCount");
  return count;
}

int current_device() {
  int ordinal = 0;
  check(cudaGetDevice(&ordinal), "cudaGetDevice");
  return ordinal;
}

std::string pci_bus_of(int ordinal) {
  std::array<char, 32> text{};
  check(cudaDeviceGetPCIBusId(text.data(), static_cast<int>(text.size()), ordinal), "cudaDeviceGetPCIBusId");
  return text.data();
}

DeviceProperties properties_of(int ordinal) {
  cudaDeviceProp found{};
  check(cudaGetDeviceProperties(&found, ordinal), "cudaGetDeviceProperties");
  return {.ordinal = ordinal,
          .name = found.name,
          .pci_bus = pci_bus_of(ordinal),
          .major = found.major,
          .minor = found.minor,
          .multiprocessors = static_cast<unsigned>(found.multiProcessorCount),
          .threads_per_multiprocessor = static_cast<unsigned>(found.maxThreadsPerMultiProcessor),
          .registers_per_multiprocessor = static_cast<unsigned>(found.regsPerMultiprocessor),
          .memory = found.totalGlobalMem,
          .l2_cache = static_cast<std::size_t>(found.l2CacheSize),
          .shared_memory_per_block = found.sharedMemPerBlockOptin,
          .shared_memory_per_multiprocessor = found.sharedMemPerMultiprocessor};
}

}  // namespace

std::vector<DeviceProperties> devices() {
  std::vector<DeviceProperties> found;
  for (int ordinal = 0, count = device_count(); ordinal < count; ++ordinal) found.push_back(properties_of(ordinal));
  return found;
}

std::size_t free_memory(int ordinal) {
  CUZK_FAILPOINT("cuda.device");
  const DeviceGuard guard(ordinal);
  std::size_t free = 0, total = 0;
  check(cudaMemGetInfo(&free, &total), "cudaMemGetInfo");
  return free;
}

DeviceGuard::DeviceGuard(int ordinal) : former_(current_device()), ordinal_(ordinal) {
  CUZK_FAILPOINT("cuda.device");
  if (ordinal_ != former_) check(cudaSetDevice(ordinal_), "cudaSetDevice");
}

DeviceGuard::~DeviceGuard() {
  if (ordinal_ != former_) check_or_log(cudaSetDevice(former_), "cudaSetDevice");
}

}  // namespace cuzk::cuda
