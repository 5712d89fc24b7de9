/// Places where a test makes a device err: one bit of what a stage left in its memory is turned over.
#pragma once

#include <span>
#include <string_view>

#include "cuda/queue.h"

namespace cuzk::cuda {

/// Waits for the stream, then turns a bit in the middle of the device's memory over where the failpoint says so.
void flip_if_armed(std::string_view place, const Queue& queue, std::span<std::byte> memory);

/// The same; compiles to nothing in a build without CUZK_FAILPOINTS (every release). "cuda.flip.witness" (its field
/// elements), "cuda.flip.bits" (its bits), "cuda.flip.evaluation", "cuda.flip.quotient", "cuda.flip.buckets" (passed once
/// in every product), "cuda.flip.bit_sums" (once in every sum of points).
template <class T>
void may_flip([[maybe_unused]] std::string_view place, [[maybe_unused]] const Queue& queue,
              [[maybe_unused]] std::span<T> memory) {
#ifdef CUZK_FAILPOINTS
  flip_if_armed(place, queue, std::as_writable_bytes(memory));
#endif
}

}  // namespace cuzk::cuda
