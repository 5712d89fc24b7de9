/// Buffers that are taken, used and put back, so that the next user finds their pages there.
#pragma once

#include <mutex>
#include <utility>
#include <vector>

#include "base/buffer.h"

namespace cuzk::msm {

/// Any thread may take and put back; nothing is tied to a thread, so that whoever holds one may wait for others.
template <class T>
class SpareBuffers {
 public:
  class Lease {
   public:
    Lease(SpareBuffers& owner, Buffer<T> buffer) : owner_(owner), buffer_(std::move(buffer)) {}
    ~Lease() { owner_.put_back(std::move(buffer_)); }
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;

    std::span<T> span() { return buffer_.span(); }

   private:
    SpareBuffers& owner_;
    Buffer<T> buffer_;
  };

  /// Room for at least `size` items, not initialised.
  Lease take(std::size_t size) {
    Buffer<T> buffer = last();
    if (buffer.size() < size) buffer = Buffer<T>(size);
    return Lease(*this, std::move(buffer));
  }

 private:
  Buffer<T> last() {
    const std::lock_guard lock(mutex_);
    if (spare_.empty()) return {};
    Buffer<T> buffer = std::move(spare_.back());
    spare_.pop_back();
    return buffer;
  }
  void put_back(Buffer<T> buffer) {
    const std::lock_guard lock(mutex_);
    spare_.push_back(std::move(buffer));
  }

  std::mutex mutex_;
  std::vector<Buffer<T>> spare_;
};

}  // namespace cuzk::msm
