/// The sum of each bucket's items, all buckets side by side.
#pragma once

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
      : queue_(queue), digits_(std::move(digits)), bound_(digits_.keys.size()), adder_(queue, sums_bound()) {
    add_round(points, digits_.entries.data());
    for (u32 left = halved(digits_.largest); left > 1; left = halved(left)) add_round(sums_.data(), nullptr);
  }

  /// One point for each bucket; infinity for an empty one.
  void spread(std::span<Affine> buckets) const {
    constexpr unsigned kThreads = 128;
    spread_sums<<<blocks_for(digits_.buckets, kThreads), kThreads, 0, queue_.stream.handle()>>>(
        sums_.data(), digits_.starts.data(), digits_.buckets, buckets.data());
    check_launch("spread_sums");
  }

 private:
  static u32 halved(u32 items) { return items / 2 + items % 2; }

  /// Each bucket has at most one sum more than half its items.
  std::size_t sums_bound() const { return std::min(bound_, (bound_ + digits_.buckets) / 2 + 1); }

  void add_round(const Affine* points, const SignedIndex* entries) {
    const std::size_t sums_most = sums_bound();
    DeviceBuffer<u32> starts = halve_starts(queue_, digits_.starts);
    DeviceBuffer<u32> keys(queue_.memory, sums_most);
    DeviceBuffer<Operands> pairs(queue_.memory, sums_most);
    list({digits_.keys.data(), entries, digits_.starts.data(), starts.data(), digits_.buckets}, keys, pairs);
    DeviceBuffer<Affine> sums(queue_.memory, sums_most);
    adder_.add(points, WrittenPairs{pairs.data(), starts.data() + digits_.buckets}, sums_most, sums.data());
    digits_.starts = std::move(starts);
    digits_.keys = std::move(keys);
    digits_.entries = DeviceBuffer<u32>();
    sums_ = std::move(sums);
    bound_ = sums_most;
  }

  void list(const BucketRound& round, DeviceBuffer<u32>& keys, DeviceBuffer<Operands>& pairs) {
    constexpr unsigned kThreads = 256;
    list_sums<<<blocks_for(bound_, kThreads), kThreads, 0, queue_.stream.handle()>>>(round, keys.data(), pairs.data());
    check_launch("list_sums");
  }

  const Queue& queue_;
  SortedDigits digits_;
  std::size_t bound_;  ///< of the items that the next round adds
  PairAdder<Curve> adder_;
  DeviceBuffer<Affine> sums_;
};

}  // namespace cuzk::cuda
