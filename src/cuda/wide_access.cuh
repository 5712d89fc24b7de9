/// Loads and stores of field elements and points in pieces of 16 bytes, the widest that a thread has.
#pragma once

#include <cuda_runtime.h>

#include "base/types.h"

namespace cuzk::cuda {

/// An item whose size is a multiple of 16 bytes, as pieces; every array of the room starts at a multiple of 256.
template <class T>
struct Pieces {
  static constexpr std::size_t kCount = sizeof(T) / sizeof(uint4);
  static_assert(sizeof(T) % sizeof(uint4) == 0);
  uint4 piece[kCount];
};

/// Of memory that no kernel writes while this one runs.
template <class T>
__device__ T load(const T* address) {
  Pieces<T> pieces;
  const auto* const from = reinterpret_cast<const uint4*>(address);
#pragma unroll
  for (std::size_t i = 0; i < Pieces<T>::kCount; ++i) pieces.piece[i] = __ldg(from + i);
  T item;
  __builtin_memcpy(&item, &pieces, sizeof(T));
  return item;
}

/// Of memory that this thread has written.
template <class T>
__device__ T load_written(const T* address) {
  Pieces<T> pieces;
  const auto* const from = reinterpret_cast<const uint4*>(address);
#pragma unroll
  for (std::size_t i = 0; i < Pieces<T>::kCount; ++i) pieces.piece[i] = from[i];
  T item;
  __builtin_memcpy(&item, &pieces, sizeof(T));
  return item;
}

template <class T>
__device__ void store(T* address, const T& item) {
  Pieces<T> pieces;
  __builtin_memcpy(&pieces, &item, sizeof(T));
  auto* const to = reinterpret_cast<uint4*>(address);
#pragma unroll
  for (std::size_t i = 0; i < Pieces<T>::kCount; ++i) to[i] = pieces.piece[i];
}

}  // namespace cuzk::cuda
