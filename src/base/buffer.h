/// Large uninitialised arrays: aligned to 64 bytes, and from 2 MiB on in their own mapping that asks for huge pages, so
/// that millions of field elements or points cost neither a first pass of zeros nor a page fault per 4 KiB.
#pragma once

#include <span>
#include <type_traits>
#include <utility>

#include "base/types.h"

namespace cuzk {

/// `bytes` of storage that start at a multiple of 64. Throws Error{resource_exhausted} naming the size.
void* allocate_pages(std::size_t bytes);
/// Gives back what allocate_pages(bytes) returned.
void release_pages(void* memory, std::size_t bytes) noexcept;

/// Lets a std::vector that grows to many megabytes live in such pages.
template <class T>
struct PageAllocator {
  using value_type = T;

  PageAllocator() = default;
  template <class U>
  PageAllocator(const PageAllocator<U>&) {}  // NOLINT: allocators convert

  T* allocate(std::size_t count) { return static_cast<T*>(allocate_pages(count * sizeof(T))); }
  void deallocate(T* memory, std::size_t count) noexcept { release_pages(memory, count * sizeof(T)); }
  bool operator==(const PageAllocator&) const = default;
};

/// An owning array of a fixed number of trivially copyable items. Its content is indeterminate until written. It moves,
/// it does not copy.
template <class T>
class Buffer {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);
  static_assert(alignof(T) <= 64);

 public:
  Buffer() = default;
  /// Throws Error{resource_exhausted} when the memory is not there.
  explicit Buffer(std::size_t size) : data_(allocate(size)), size_(size) {}
  Buffer(Buffer&& other) noexcept : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  Buffer& operator=(Buffer&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }
  ~Buffer() { release_pages(data_, size_ * sizeof(T)); }

  T* data() { return data_; }
  const T* data() const { return data_; }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T& operator[](std::size_t i) { return data_[i]; }
  const T& operator[](std::size_t i) const { return data_[i]; }
  T* begin() { return data_; }
  T* end() { return data_ + size_; }
  const T* begin() const { return data_; }
  const T* end() const { return data_ + size_; }

  std::span<T> span() { return {data_, size_}; }
  std::span<const T> span() const { return {data_, size_}; }

 private:
  static T* allocate(std::size_t size) {
    // A product that overflows cannot be had either: ask for what no machine has.
    const std::size_t bytes = size > SIZE_MAX / sizeof(T) ? SIZE_MAX : size * sizeof(T);
    return static_cast<T*>(allocate_pages(bytes));
  }

  T* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace cuzk
