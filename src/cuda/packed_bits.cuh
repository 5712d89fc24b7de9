/// Runs of packed bits that start anywhere in a word.
#pragma once

#include "base/types.h"

namespace cuzk::cuda {

/// The lowest `count` bits, up to 64.
__device__ inline u64 low_bits(u32 count) { return count >= 64 ? ~u64{0} : (u64{1} << count) - 1; }

/// The `count` bits, at most 64, from `first` on; the word behind the last of them may be read, and must exist.
__device__ inline u64 bits_at(const u64* words, u64 first, u32 count) {
  const u32 shift = static_cast<u32>(first % 64);
  u64 bits = words[first / 64] >> shift;
  if (shift != 0) bits |= words[first / 64 + 1] << (64 - shift);
  return bits & low_bits(count);
}

}  // namespace cuzk::cuda
