/// What every stage needs to enqueue work on a device.
#pragma once

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
};

/// Blocks of `threads` that cover `items`.
constexpr unsigned blocks_for(std::size_t items, unsigned threads) {
  return static_cast<unsigned>((items + threads - 1) / threads);
}

}  // namespace cuzk::cuda
