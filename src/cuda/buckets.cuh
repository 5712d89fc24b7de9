/// Kernels that put the items of a window's digits into buckets and follow them from round to round.
#pragma once

#include "cuda/add_pairs.cuh"
#include "cuda/device_scalars.h"
#include "cuda/pair_lists.cuh"
#include "cuda/windows.h"
#include "field/fr.h"

namespace cuzk::cuda {

/// A scalar plus half of every window's range: then a window's bits less that are its digit, without carries.
class ShiftedScalar {
 public:
  __device__ ShiftedScalar(const Fr::Integer& value, const ScalarShift& shift) {
    u64 carry = 0;
#pragma unroll
    for (unsigned i = 0; i < kWords; ++i) words_[i] = add_carry(i < 4 ? value[i] : 0, shift.words[i], carry);
  }

  /// Of the window of so many bits from bit `place` on.
  __device__ i32 digit(unsigned place, unsigned bits) const {
    const unsigned shift = place % 64;
    const u64 low = word(place / 64) >> shift, high = shift == 0 ? 0 : word(place / 64 + 1) << (64 - shift);
    return static_cast<i32>((low | high) & ((u64{1} << bits) - 1)) - (i32{1} << (bits - 1));
  }

 private:
  static constexpr unsigned kWords = ScalarShift::kWords;

  /// By comparisons: an index that the compiler does not know would move the words to memory.
  __device__ u64 word(unsigned index) const {
    u64 found = 0;
#pragma unroll
    for (unsigned i = 0; i < kWords; ++i) found = i == index ? words_[i] : found;
    return found;
  }

  u64 words_[kWords];
};

/// For each window, all scalars in turn: the bucket of the digit (the number of buckets for a digit of 0) and the point
/// that belongs there: indices[i], or i where indices is null, of the first `points`, and behind those their multiples.
__global__ void make_digits(DeviceScalars scalars, const u32* indices, u32 points, Windows windows, ScalarShift shift,
                            u32* keys, SignedIndex* entries);

/// Where something of each bucket begins, twice: its sums of a round in the upper half, its items in the lower one. One
/// number, so that both are found by one scan.
using RoundStart = u64;
CUZK_HD constexpr RoundStart round_start(u32 sums, u32 items) { return u64{sums} << 32 | items; }
CUZK_HD constexpr u32 sums_of(RoundStart start) { return static_cast<u32>(start >> 32); }
CUZK_HD constexpr u32 items_of(RoundStart start) { return static_cast<u32>(start); }

/// starts[k] = where the items of bucket k begin among `size` sorted keys, for k up to `buckets`, the last one being
/// the end of them all. One thread more than there are keys, in whole warps.
__global__ void mark_starts(const u32* keys, u32 size, u32 buckets, RoundStart* starts);

/// How the items of buckets lie side by side before a round of sums, and where the sums of each bucket and the items
/// of the next round will begin. Of a bucket's items each two neighbours become one, and an odd one stays.
struct BucketRound {
  const u32* keys;             ///< the bucket of each item, ascending
  const SignedIndex* entries;  ///< the point of each item: a pooled place (pair_lists.cuh)
  const RoundStart* starts;    ///< where the items of each bucket begin; one more entry tells the end
  const RoundStart* next;      ///< where its sums begin, and its items in the next round
  u32 buckets;
  RoundPlaces* places;  ///< where its sums begin in the pool is known; its end is told, and the next round's beginning
};

/// Writes down the operands of each sum, at its place in the pool, and the items of the next round.
__global__ void list_sums(BucketRound round, Operands* pairs, u32* next_keys, SignedIndex* next_entries);

/// Every bucket's only item at its bucket's place, infinity where there is none.
template <class Curve>
__global__ void spread_sums(const AffinePoint<Curve>* points, PooledPairs<Curve> pairs, const SignedIndex* entries,
                            const RoundStart* starts, u32 buckets, AffinePoint<Curve>* spread) {
  const u32 bucket = blockIdx.x * blockDim.x + threadIdx.x;
  if (bucket >= buckets) return;
  const u32 item = items_of(starts[bucket]);
  const bool empty = item == items_of(starts[bucket + 1]);
  store(spread + bucket, empty ? AffinePoint<Curve>::infinity() : load_point(points, pairs, entries[item]));
}

}  // namespace cuzk::cuda
