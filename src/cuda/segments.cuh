/// Where a witness's segments and values lie: for kernels.
#pragma once

#include "cuda/packed_bits.cuh"
#include "cuda/witness.h"
#include "r1cs/witness.h"

namespace cuzk::cuda {

/// The last segment that begins at or before a variable.
__device__ inline u32 segment_of(const r1cs::Segment* segments, u32 count, u32 variable) {
  u32 low = 0;
  for (u32 high = count; high - low > 1;) {
    const u32 middle = low + (high - low) / 2;
    (segments[middle].first <= variable ? low : high) = middle;
  }
  return low;
}

/// Where the value of a variable that is a field element lies.
__device__ inline u64 place_of(const WitnessView& view, u32 variable) {
  const u32 word = variable / 64;
  const u64 before = view.is_element[word] & low_bits(variable % 64);
  return u64{view.inputs} + view.elements_before[word] + static_cast<u64>(__popcll(before));
}

}  // namespace cuzk::cuda
