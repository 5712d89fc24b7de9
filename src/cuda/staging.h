/// Copies from ordinary memory or a file to a device by way of pinned memory: several threads fill one block while the bus empties
/// the others. CUDA's own way for ordinary memory copies with one thread and holds the caller up meanwhile.
#pragma once

#include <array>
#include <functional>
#include <span>

#include "base/thread_pool.h"
#include "cuda/device_buffer.h"

namespace cuzk::cuda {

/// Serves one stream, one thread at a time.
class Staging {
 public:
  /// Takes kBlocks * kBlockBytes of pinned memory. Throws Error{resource_exhausted}.
  Staging(const Stream& stream, ThreadPool& pool);
  /// Waits for copies under way.
  ~Staging();
  Staging(const Staging&) = delete;
  Staging& operator=(const Staging&) = delete;

  /// Writes the bytes from `offset` of what is copied; several threads call it at once.
  using Fill = std::function<void(std::size_t offset, std::span<std::byte> bytes)>;

  /// Copies what `fill` writes, of which all has been asked for when the call returns. Throws what `fill` throws.
  void upload_filled(std::span<std::byte> to, const Fill& fill);

  /// `from` has been read when the call returns; the last copies may still be under way. Both have the same size, else
  /// Error{internal}.
  template <class T>
  void upload(std::span<T> to, std::type_identity_t<std::span<const T>> from) {
    static_assert(std::is_trivially_copyable_v<T>);
    upload_bytes(std::as_writable_bytes(to), std::as_bytes(from));
  }

 private:
  static constexpr std::size_t kBlocks = 4, kBlockBytes = std::size_t{16} << 20;
  struct Block {
    std::span<std::byte> memory;
    Event copied;
  };

  void upload_bytes(std::span<std::byte> to, std::span<const std::byte> from);

  const Stream& stream_;
  ThreadPool& pool_;
  PinnedMemory pinned_;
  DeviceBuffer<std::byte> memory_;
  std::array<Block, kBlocks> blocks_;
  std::size_t next_ = 0;
};

}  // namespace cuzk::cuda
