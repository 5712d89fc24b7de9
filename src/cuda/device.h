/// The machine's GPUs. Devices are named by CUDA's ordinal; nothing here changes a setting of a device.
#pragma once

#include <string>
#include <vector>

#include "base/types.h"

namespace cuzk::cuda {

/// What a plan needs to know of a device; sizes in bytes.
struct DeviceProperties {
  int ordinal = 0;
  std::string name;     ///< as CUDA says it, such as "NVIDIA H200"
  std::string pci_bus;  ///< "0000:1b:00.0": stays the same when ordinals change
  int major = 0;        ///< compute capability: 9.0 is sm_90
  int minor = 0;
  unsigned multiprocessors = 0;
  unsigned threads_per_multiprocessor = 0;
  unsigned registers_per_multiprocessor = 0;  ///< of 32 bits
  std::size_t memory = 0;                     ///< all of it, whoever uses it
  std::size_t l2_cache = 0;
  std::size_t shared_memory_per_block = 0;  ///< the most that a kernel may ask for (opt-in)
  std::size_t shared_memory_per_multiprocessor = 0;
};

/// Every visible device, by ordinal; none, and no error, where there is no driver or no GPU. Throws Error when CUDA fails
/// otherwise.
std::vector<DeviceProperties> devices();

/// Bytes that are free on a device now: other processes may take them. Makes CUDA's context there, some hundred MB, when
/// this process has none.
std::size_t free_memory(int ordinal);

/// Makes a device the calling thread's current one, and the former again at its end (with a context on both). Streams, events and memory belong
/// to the device that was current when they were made; a kernel starts on the device of its stream, which must be
/// current.
class DeviceGuard {
 public:
  /// Throws Error{internal} for an ordinal that does not exist.
  explicit DeviceGuard(int ordinal);
  ~DeviceGuard();
  DeviceGuard(const DeviceGuard&) = delete;
  DeviceGuard& operator=(const DeviceGuard&) = delete;

 private:
  const int former_;
  const int ordinal_;
};

}  // namespace cuzk::cuda
