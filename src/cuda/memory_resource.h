/// Where memory comes from: small resources with one interface that stand on one another, in the shape of rmm's device
/// memory resources (github.com/rapidsai/rmm). A device has CudaMalloc at the bottom and one Arena on it; a limit or
/// statistics go between or on top:
///
///     CudaMalloc device(0);
///     Arena arena(device, bytes);
///     StatisticsResource transforms(arena);
///     DeviceBuffer<Fr> values(transforms, size);
///
/// Order. allocate() and deallocate() act at once, on the host; they are not enqueued on a stream. Memory given back may
/// be handed out again while kernels that were enqueued before still use it. That is harmless where the next user
/// enqueues on the same stream; otherwise it must wait for the former user (Event, Stream::wait). So a resource serves
/// one stream, or its users synchronise; so does whoever goes on after an exception that left work enqueued.
#pragma once

#include "base/types.h"

namespace cuzk::cuda {

/// A source of memory. It must outlive what it handed out, and the resources that stand on it. Every resource of this
/// room may be called by any thread.
class MemoryResource {
 public:
  static constexpr std::size_t kAlignment = 256;

  virtual ~MemoryResource() = default;
  MemoryResource() = default;
  MemoryResource(const MemoryResource&) = delete;
  MemoryResource& operator=(const MemoryResource&) = delete;

  /// At least `bytes`, aligned to kAlignment; indeterminate content. No bytes give null. Sizes are rounded up to a
  /// multiple of kAlignment, and that is what limits and statistics count. Throws Error{resource_exhausted}.
  void* allocate(std::size_t bytes);

  /// Takes back what allocate(bytes) returned; null is ignored.
  void deallocate(void* memory, std::size_t bytes) noexcept;

 private:
  /// `bytes` is a multiple of kAlignment, and not 0.
  virtual void* take(std::size_t bytes) = 0;
  virtual void give_back(void* memory, std::size_t bytes) noexcept = 0;
};

/// cudaMalloc and cudaFree on one device: slow, and both wait for the device. For what is reserved once.
class CudaMalloc final : public MemoryResource {
 public:
  explicit CudaMalloc(int device) : device_(device) {}

 private:
  /// Failpoint "cuda.malloc".
  void* take(std::size_t bytes) override;
  void give_back(void* memory, std::size_t bytes) noexcept override;

  const int device_;
};

/// Page-locked memory of the host, which every device can copy from and to while other work runs. About half a second a
/// GiB: for what is reserved once.
class PinnedMemory final : public MemoryResource {
 private:
  /// Failpoint "cuda.pin".
  void* take(std::size_t bytes) override;
  void give_back(void* memory, std::size_t bytes) noexcept override;
};

}  // namespace cuzk::cuda
