/// An owning array in device memory, and copies between arrays of the host and of the device.
///
/// All copies are enqueued on a stream and may still be under way when the call returns, unless it says otherwise.
/// - To the device from pageable memory: CUDA has read the host's array when the call returns, at about a tenth of the
///   bus's speed. From pinned memory (pinned_pool.h): the array must stay until the stream has passed the copy.
/// - To the host: the array must stay, and has its content once the stream has passed the copy.
#pragma once

#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "cuda/memory_resource.h"
#include "cuda/stream.h"

namespace cuzk::cuda {

/// The same, in bytes, from any memory to any; both must have the same size, else Error{internal}. Failpoint
/// "cuda.memcpy".
void copy_bytes(std::span<std::byte> to, std::span<const std::byte> from, const Stream& stream);
/// Failpoint "cuda.memcpy".
void fill_bytes(std::span<std::byte> memory, u8 value, const Stream& stream);

/// Enqueues a copy between arrays of the same size; either may be the host's or the device's.
template <class T>
void copy(std::span<T> to, std::type_identity_t<std::span<const T>> from, const Stream& stream) {
  static_assert(std::is_trivially_copyable_v<T>);
  copy_bytes(std::as_writable_bytes(to), std::as_bytes(from), stream);
}

/// `size` items of T from a resource; content indeterminate until written. It moves, it does not copy, and gives its
/// memory back at its end, at once: see the order that memory_resource.h demands.
template <class T>
class DeviceBuffer {
  static_assert(std::is_trivially_copyable_v<T> && alignof(T) <= MemoryResource::kAlignment);

 public:
  DeviceBuffer() = default;  ///< empty
  /// Throws Error{resource_exhausted} when the resource has no memory, or no machine has as much.
  DeviceBuffer(MemoryResource& resource, std::size_t size)
      : resource_(&resource), data_(allocate(resource, size)), size_(size) {}
  DeviceBuffer(DeviceBuffer&& other) noexcept
      : resource_(other.resource_), data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  DeviceBuffer& operator=(DeviceBuffer&& other) noexcept {
    std::swap(resource_, other.resource_);
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }
  ~DeviceBuffer() {
    if (data_ != nullptr) resource_->deallocate(data_, size_ * sizeof(T));
  }

  T* data() { return data_; }
  const T* data() const { return data_; }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }

  /// Addresses of the device: for kernels and copies, not to be read on the host.
  std::span<T> span() { return {data_, size_}; }
  std::span<const T> span() const { return {data_, size_}; }

  /// Enqueues a copy of exactly size() items of the host.
  void copy_from(std::span<const T> host, const Stream& stream) { copy(span(), host, stream); }

  /// Waits for the stream and returns the content: for tests and small results.
  std::vector<T> to_host(const Stream& stream) const {
    std::vector<T> host(size_);
    stream.read(std::as_writable_bytes(std::span(host)), std::as_bytes(span()));
    return host;
  }

  void fill_zero(const Stream& stream) { fill_bytes(std::as_writable_bytes(span()), 0, stream); }

 private:
  static T* allocate(MemoryResource& resource, std::size_t size) {
    // A product that overflows cannot be had either: ask for what no device has.
    const std::size_t bytes = size > SIZE_MAX / sizeof(T) ? SIZE_MAX : size * sizeof(T);
    return static_cast<T*>(resource.allocate(bytes));
  }

  MemoryResource* resource_ = nullptr;
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

/// A new array with a copy of the host's, enqueued: see the top of this file for how long that must stay.
template <class T>
DeviceBuffer<T> upload(MemoryResource& resource, std::type_identity_t<std::span<const T>> host, const Stream& stream) {
  DeviceBuffer<T> buffer(resource, host.size());
  buffer.copy_from(host, stream);
  return buffer;
}

}  // namespace cuzk::cuda
