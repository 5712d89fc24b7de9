/// The sum of each bucket's items, all buckets side by side.
#pragma once

#include "cuda/buckets.cuh"
#include "cuda/error.h"
#include "cuda/pace.h"
#include "cuda/pair_adder.cuh"
#include "cuda/pair_lists.cuh"
#include "cuda/sum_lists.h"

namespace cuzk::cuda {

template <class Curve>
class BucketSums {
 public:
  using Affine = AffinePoint<Curve>;

  /// The items are of `points`. The lists live as long, and their rounds are listed. Waits only as the pace does, which
  /// is told the additions.
  BucketSums(const Queue& queue, const Affine* points, const SumLists& lists, Pace& pace)
      : queue_(queue),
        points_(points),
        lists_(lists),
        pool_(queue.memory, lists.items()),
        adder_(queue, lists.items() / 2) {
    for (std::size_t i = 0; i < lists.rounds().size(); ++i) {
      add_round(i);
      pace.enqueued(lists.rounds()[i].most_sums);
    }
  }

  /// One point for each bucket; infinity for an empty one.
  void spread(std::span<Affine> buckets) const {
    constexpr unsigned kThreads = 128;
    spread_sums<<<blocks_for(lists_.buckets(), kThreads), kThreads, 0, queue_.stream.handle()>>>(
        points_, PooledPairs<Curve>{nullptr, nullptr, pool_.data()}, lists_.last_items(), lists_.last_starts(),
        lists_.buckets(), buckets.data());
    check_launch("spread_sums");
  }

 private:
  void add_round(std::size_t i) {
    const SumLists::Round& round = lists_.rounds()[i];
    queue_.stream.wait(round.listed);
    const PooledPairs<Curve> written{lists_.pairs(), lists_.places(i), pool_.data()};
    adder_.add(points_, written, round.most_sums, pool_.data());
  }

  const Queue& queue_;
  const Affine* points_;
  const SumLists& lists_;
  DeviceBuffer<Affine> pool_;
  PairAdder<Curve> adder_;
};

}  // namespace cuzk::cuda
