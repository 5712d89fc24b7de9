/// The lists of pairs that sums on a device go through (add_pairs.cuh).
#pragma once

#include "cuda/add_pairs.cuh"

namespace cuzk::cuda {

/// Neighbours: 0 and 1, 2 and 3 ...; an odd one at the end stays as it is.
struct NeighbourPairs {
  u32 points;

  __host__ __device__ std::size_t size() const { return points / 2 + points % 2; }
  __device__ Operands operands(std::size_t i) const {
    const u32 left = static_cast<u32>(2 * i), right = left + 1;
    return {left, right < points ? right : Operands::kNone};
  }
};

/// The same of the points that `indices` lists.
struct ListedPairs {
  const SignedIndex* indices;
  u32 points;

  __host__ __device__ std::size_t size() const { return points / 2 + points % 2; }
  __device__ Operands operands(std::size_t i) const {
    return {indices[2 * i], 2 * i + 1 < points ? indices[2 * i + 1] : Operands::kNone};
  }
};

/// In blocks of 2 * half points each point of the lower half meets the one at its place in the upper half.
struct HalvesPairs {
  u32 points;
  unsigned log2_half;

  __host__ __device__ std::size_t size() const { return points / 2; }
  __device__ Operands operands(std::size_t i) const {
    const u32 sum = static_cast<u32>(i), half = u32{1} << log2_half;
    const u32 left = ((sum >> log2_half) << (log2_half + 1)) + (sum & (half - 1));
    return {left, left + half};
  }
};

/// Each of the first points meets the one at `step`.
struct StepPairs {
  u32 points, step;

  __host__ __device__ std::size_t size() const { return points; }
  __device__ Operands operands(std::size_t i) const { return {static_cast<u32>(i), step}; }
};

/// Each point meets itself.
struct Doublings {
  u32 points;

  __host__ __device__ std::size_t size() const { return points; }
  __device__ Operands operands(std::size_t i) const { return {static_cast<u32>(i), static_cast<u32>(i)}; }
};

/// The highest bit below kNegated: the point lies in a pool, and not in the array.
inline constexpr SignedIndex kPooled = u32{1} << 30;

/// Which places of a pool the sums of a round take. A line of the cache each: what reads one may run beside what writes
/// the next.
struct alignas(128) RoundPlaces {
  u32 begin, end;
};

/// As they were written down, of two arrays: points, and the pool that sums go to, one round of sums after another. One
/// load for each sum: looking the places up in the buckets' tables, four loads one after the other, costs more than the
/// sums.
template <class Curve>
struct PooledPairs {
  const Operands* pairs;     ///< of all rounds; that of sum i of the pool is the i-th
  const RoundPlaces* round;  ///< in the device's memory
  const AffinePoint<Curve>* pool;

  __device__ std::size_t size() const { return __ldg(&round->end) - __ldg(&round->begin); }
  __device__ Operands operands(std::size_t i) const { return pairs[__ldg(&round->begin) + i]; }
};

template <class Curve>
__device__ const AffinePoint<Curve>* address_of(const PooledPairs<Curve>& pairs, const AffinePoint<Curve>* points,
                                                u32 place) {
  return (place & kPooled) != 0 ? pairs.pool + (place & ~kPooled) : points + place;
}

template <class Curve>
__device__ std::size_t place_of_sum(const PooledPairs<Curve>& pairs, std::size_t i) {
  return __ldg(&pairs.round->begin) + i;
}

}  // namespace cuzk::cuda
