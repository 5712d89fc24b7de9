/// Calls of CUB, which asks for its temporary memory first.
#pragma once

#include <string_view>

#include "cuda/device_buffer.h"
#include "cuda/error.h"
#include "cuda/queue.h"

namespace cuzk::cuda {

/// Calls algorithm(memory, bytes, stream) twice, as CUB wants it: for the size, then with memory of the queue.
template <class Algorithm>
void run_with_scratch(const Queue& queue, std::string_view name, Algorithm&& algorithm) {
  std::size_t bytes = 0;
  check(algorithm(nullptr, bytes, queue.stream.handle()), name);
  DeviceBuffer<std::byte> scratch(queue.memory, bytes);
  void* const memory = scratch.data();
  check(algorithm(memory, bytes, queue.stream.handle()), name);
}

}  // namespace cuzk::cuda
