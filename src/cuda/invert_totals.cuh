/// Inverts an array of field elements that are not zero: one inversion for the elements of all threads of a warp.
#pragma once

#include "cuda/inverse.cuh"
#include "cuda/inverse_chain.cuh"
#include "cuda/wide_access.cuh"

namespace cuzk::cuda {

inline constexpr unsigned kWarp = 32;

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

/// In place, with room for as many products in `products`. Blocks of one warp, as many as should share the work: each
/// costs an inversion, a long time on one of its threads.
template <class Field>
__global__ void __launch_bounds__(kWarp) invert_totals(Field* values, Field* products, std::size_t size) {
  const std::size_t thread = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x;
  const std::size_t threads = gridDim.x * std::size_t{blockDim.x};
  Field product = Field::one();
  for (std::size_t i = thread; i < size; i += threads) {
    store(products + i, product);
    product *= load(values + i);
  }
  InverseChain<Field> chain(invert_in_warp(product));
  if (thread >= size) return;
  for (std::size_t i = thread + (size - 1 - thread) / threads * threads;; i -= threads) {
    store(values + i, chain.take(load_written(products + i), load(values + i)));
    if (i == thread) return;
  }
}

}  // namespace cuzk::cuda
