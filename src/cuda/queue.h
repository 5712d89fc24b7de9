/// What every stage needs to enqueue work on a device.
#pragma once

#include <stop_token>
#include <utility>

#include "cuda/device.h"
#include "cuda/memory_resource.h"
#include "cuda/stream.h"

namespace cuzk::cuda {

/// A device, a stream on it and the memory that work on this stream may use. The device is current in the calling
/// thread (DeviceGuard); memory given back is reused by later work of the same stream (memory_resource.h).
struct Queue {
  const DeviceProperties& device;
  const Stream& stream;
  MemoryResource& memory;
  std::stop_token stop{};  ///< when it is asked to stop, calls that take long throw Error{cancelled} soon (pace.h)
};

/// Work on a queue is done until `stop`, as long as this lives. For the thread that uses the queue.
class UntilStop {
 public:
  UntilStop(Queue& queue, std::stop_token stop) : queue_(queue), before_(std::exchange(queue.stop, std::move(stop))) {}
  ~UntilStop() { queue_.stop = std::move(before_); }
  UntilStop(const UntilStop&) = delete;
  UntilStop& operator=(const UntilStop&) = delete;

 private:
  Queue& queue_;
  std::stop_token before_;
};

/// Blocks of `threads` that cover `items`.
constexpr unsigned blocks_for(std::size_t items, unsigned threads) {
  return static_cast<unsigned>((items + threads - 1) / threads);
}

}  // namespace cuzk::cuda
