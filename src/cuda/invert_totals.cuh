/// Inverts an array of field elements that are not zero: one inversion for kPerThread elements of each thread of a
/// warp.
#pragma once

#include "cuda/inverse.cuh"
#include "cuda/wide_access.cuh"

namespace cuzk::cuda {

inline constexpr unsigned kWarp = 32;
inline constexpr unsigned kTotalsPerThread = 4;
inline constexpr unsigned kTotalsPerWarp = kWarp * kTotalsPerThread;

template <class Field>
__device__ Field shuffle(const Field& value, unsigned lane) {
  constexpr std::size_t kWords = sizeof(Field) / sizeof(u32);
  u32 words[kWords];
  __builtin_memcpy(words, &value, sizeof(Field));
#pragma unroll
  for (std::size_t i = 0; i < kWords; ++i) words[i] = __shfl_sync(UINT32_MAX, words[i], static_cast<int>(lane));
  Field result;
  __builtin_memcpy(&result, words, sizeof(Field));
  return result;
}

/// The inverse of every lane's value, by one inversion on lane 0: products of pairs, of fours ..., and back.
template <class Field>
__device__ Field invert_in_warp(const Field& value) {
  constexpr unsigned kLevels = 5;
  const unsigned lane = threadIdx.x % kWarp;
  Field partner[kLevels], product = value;
#pragma unroll
  for (unsigned level = 0; level < kLevels; ++level) {
    partner[level] = shuffle(product, lane ^ 1u << level);
    product *= partner[level];
  }
  if (lane == 0) product = inverse(product);
  Field inverted = shuffle(product, 0);
#pragma unroll
  for (unsigned level = kLevels; level-- > 0;) inverted *= partner[level];
  return inverted;
}

/// In place; `size` is a multiple of kTotalsPerWarp, and the grid covers size / kTotalsPerThread threads exactly.
template <class Field>
__global__ void invert_totals(Field* values, std::size_t size) {
  const std::size_t stride = size / kTotalsPerThread;
  const std::size_t thread = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x;
  if (thread >= stride) return;  // whole warps
  Field before[kTotalsPerThread], product = Field::one();
#pragma unroll
  for (unsigned i = 0; i < kTotalsPerThread; ++i) {
    before[i] = product;
    product *= load(values + thread + i * stride);
  }
  Field inverted = invert_in_warp(product);
#pragma unroll
  for (unsigned i = kTotalsPerThread; i-- > 0;) {
    const Field value = load(values + thread + i * stride);
    store(values + thread + i * stride, inverted * before[i]);
    inverted *= value;
  }
}

}  // namespace cuzk::cuda
