/// A device's first queue with an arena, for tests and benchmarks.
#pragma once

#include "cuda/arena.h"
#include "cuda/device_buffer.h"
#include "cuda/queue.h"

namespace cuzk::test {

class GpuQueue {
 public:
  explicit GpuQueue(std::size_t arena_bytes) : arena_(memory_, arena_bytes) {}

  const cuda::Queue& queue() const { return queue_; }
  cuda::Arena::Usage usage() const { return arena_.usage(); }

  template <class T>
  cuda::DeviceBuffer<T> upload(std::span<const T> host) {
    auto buffer = cuda::upload<T>(arena_, host, stream_);
    stream_.synchronize();
    return buffer;
  }
  template <class T>
  cuda::DeviceBuffer<T> upload(const std::vector<T>& host) {
    return upload(std::span<const T>(host));
  }

 private:
  cuda::DeviceProperties device_ = cuda::devices().front();
  cuda::CudaMalloc memory_{0};
  cuda::Arena arena_;
  cuda::Stream stream_;
  cuda::Queue queue_{device_, stream_, arena_};
};

}  // namespace cuzk::test
