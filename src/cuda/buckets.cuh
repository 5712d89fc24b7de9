/// Kernels that put the items of a window's digits into buckets and follow them from round to round.
#pragma once

#include "cuda/add_pairs.cuh"
#include "cuda/windows.h"
#include "field/fr.h"

namespace cuzk::cuda {

/// A scalar plus 2^(bits-1) in every window: then a window's bits less 2^(bits-1) are its digit, without carries.
class ShiftedScalar {
 public:
  __device__ ShiftedScalar(const Fr& scalar, unsigned bits) {
    const Limbs<4> value = scalar.to_integer();
    u64 carry = 0;
    for (std::size_t i = 0; i < kWords; ++i) word_[i] = add_carry(i < 4 ? value[i] : 0, halves(i, bits), carry);
  }

  __device__ i32 digit(unsigned window, unsigned bits) const {
    const unsigned place = window * bits, word = place / 64, shift = place % 64;
    u64 low = word_[word] >> shift;
    if (shift + bits > 64 && word + 1 < kWords) low |= word_[word + 1] << (64 - shift);
    return static_cast<i32>(low & ((u64{1} << bits) - 1)) - (i32{1} << (bits - 1));
  }

 private:
  static constexpr std::size_t kWords = 5;  // windows * bits is below 320

  /// Word i of the sum of 2^(bits-1) in every window.
  __device__ static u64 halves(std::size_t i, unsigned bits) {
    u64 word = 0;
    for (unsigned window = 0; window < Windows::in_scalar(bits); ++window) {
      const unsigned place = window * bits + bits - 1;
      if (place / 64 == i) word |= u64{1} << (place % 64);
    }
    return word;
  }

  u64 word_[kWords];
};

/// For each window, all scalars in turn: the bucket of the digit (the number of buckets for a digit of 0) and the point
/// that belongs there: indices[i], or i where indices is null.
__global__ void make_digits(const Fr* scalars, const u32* indices, u32 size, Windows windows, u32* keys,
                            SignedIndex* entries);

/// starts[k] = where the items of bucket k begin among `size` sorted keys, for k up to `buckets`, the last one being
/// the end of them all.
__global__ void mark_starts(const u32* keys, u32 size, u32 buckets, u32* starts);

/// How the items of buckets lie side by side before a round of sums, and where the sums of each bucket will begin.
struct BucketRound {
  const u32* keys;             ///< the bucket of each item, ascending
  const SignedIndex* entries;  ///< the point of each item; null: item i is point i
  const u32* item_starts;      ///< where the items of each bucket begin; one more entry tells the end
  const u32* sum_starts;       ///< the same of its sums
  u32 buckets;
};

/// Neighbours within a bucket become pairs: the bucket and the operands of each sum.
__global__ void list_sums(BucketRound round, u32* sum_keys, Operands* pairs);

/// Every bucket's only item at its bucket's place, infinity where there is none.
template <class Curve>
__global__ void spread_sums(const AffinePoint<Curve>* sums, const u32* starts, u32 buckets,
                            AffinePoint<Curve>* spread) {
  const u32 bucket = blockIdx.x * blockDim.x + threadIdx.x;
  if (bucket >= buckets) return;
  const bool empty = starts[bucket] == starts[bucket + 1];
  store(spread + bucket, empty ? AffinePoint<Curve>::infinity() : load(sums + starts[bucket]));
}

}  // namespace cuzk::cuda
