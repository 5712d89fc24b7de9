/// The sum of each bucket's items, all buckets side by side.
#pragma once

#include "cuda/bit_ranks.h"
#include "cuda/buckets.cuh"
#include "cuda/error.h"
#include "cuda/pair_adder.cuh"
#include "cuda/pair_lists.cuh"
#include "cuda/sorted_digits.h"

namespace cuzk::cuda {

template <class Curve>
class BucketSums {
 public:
  using Affine = AffinePoint<Curve>;

  /// The items are of `points`.
  BucketSums(const Queue& queue, const Affine* points, SortedDigits digits)
      : queue_(queue),
        points_(points),
        digits_(std::move(digits)),
        bound_(digits_.keys.size()),
        pool_(queue.memory, bound_),
        adder_(queue, bound_ / 2) {
    for (u32 left = digits_.largest; left > 1; left = left / 2 + left % 2) add_round();
  }

  /// One point for each bucket; infinity for an empty one.
  void spread(std::span<Affine> buckets) const {
    constexpr unsigned kThreads = 128;
    spread_sums<<<blocks_for(digits_.buckets, kThreads), kThreads, 0, queue_.stream.handle()>>>(
        points_, PooledPairs<Curve>{nullptr, nullptr, pool_.data()}, digits_.entries.data(), digits_.starts.data(),
        digits_.buckets, buckets.data());
    check_launch("spread_sums");
  }

 private:
  /// The sums go behind those of the former rounds, which may still be operands of later ones: all of them are fewer
  /// than the items.
  void add_round() {
    RoundStarts starts = round_starts(queue_, digits_.starts);
    DeviceBuffer<Operands> pairs(queue_.memory, bound_ / 2);
    const std::size_t next_bound = std::min(bound_, (bound_ + digits_.buckets) / 2 + 1);
    DeviceBuffer<u32> keys(queue_.memory, next_bound), entries(queue_.memory, next_bound);
    list(starts, pairs, keys, entries);
    const u32 sums = total_of(queue_, starts.sums);  // before the device is kept busy with the sums
    const PooledPairs<Curve> written{pairs.data(), starts.sums.data() + digits_.buckets, pool_.data()};
    adder_.add(points_, written, sums, pool_.data() + pooled_);
    pooled_ += sums;
    digits_.starts = std::move(starts.next);
    digits_.keys = std::move(keys);
    digits_.entries = std::move(entries);
    bound_ = next_bound;
  }

  void list(const RoundStarts& starts, DeviceBuffer<Operands>& pairs, DeviceBuffer<u32>& keys,
            DeviceBuffer<u32>& entries) {
    constexpr unsigned kThreads = 256;
    const BucketRound round{digits_.keys.data(),
                            digits_.entries.data(),
                            digits_.starts.data(),
                            starts.sums.data(),
                            starts.next.data(),
                            digits_.buckets,
                            pooled_};
    list_sums<<<blocks_for(bound_, kThreads), kThreads, 0, queue_.stream.handle()>>>(round, pairs.data(), keys.data(),
                                                                                     entries.data());
    check_launch("list_sums");
  }

  const Queue& queue_;
  const Affine* points_;
  SortedDigits digits_;
  std::size_t bound_;  ///< of the items that the next round adds
  DeviceBuffer<Affine> pool_;
  u32 pooled_ = 0;
  PairAdder<Curve> adder_;
};

}  // namespace cuzk::cuda
