/// One window of a multi-scalar multiplication: buckets filled and summed.
#pragma once

#include <span>

#include "base/per_thread.h"
#include "base/thread_pool.h"
#include "curve/g1.h"
#include "curve/g2.h"
#include "msm/run_sums.h"
#include "msm/spare_buffers.h"

namespace cuzk::msm {

/// The points that digits belong to, in their order: all of an array, or those that indices pick.
template <class Curve>
struct Bases {
  const AffinePoint<Curve>* points;
  const u32* indices = nullptr;

  const AffinePoint<Curve>& operator[](std::size_t i) const { return points[indices == nullptr ? i : indices[i]]; }
  Bases from(std::size_t first) const {
    return indices == nullptr ? Bases{points + first} : Bases{points, indices + first};
  }
};

/// Points that a bucket is filled from at a time: 12 MiB of G1.
inline constexpr std::size_t kNearPoints = std::size_t{1} << 17;

/// Memory that the sums of windows need, kept from one to the next: a page fault for each piece of it costs as much as the
/// additions made there. Windows may be summed side by side with one of it.
template <class Curve>
struct WindowScratch {
  PerThread<RunSums<Curve>> runs, odds, halves;
  SpareBuffers<AffinePoint<Curve>> parts;
};

/// The sum of digits[i] * bases[i], for digits in [-buckets, buckets]; at most 2^30 of them. `buckets` is a power of two.
/// Sorted by bucket the points lie all over memory, and what finding each costs (a miss of every cache and a walk over page
/// tables) is more than its addition. So buckets are filled from kNearPoints neighbours at a time, and then the parts of
/// each bucket are added, which lie in order. Memory: one point for each bucket and part.
template <class Curve>
Point<Curve> window_sum(const Bases<Curve>& bases, std::span<const std::int16_t> digits, std::size_t buckets,
                        WindowScratch<Curve>& scratch, ThreadPool& pool);

extern template G1 window_sum(const Bases<G1Curve>&, std::span<const std::int16_t>, std::size_t,
                              WindowScratch<G1Curve>&, ThreadPool&);
extern template G2 window_sum(const Bases<G2Curve>&, std::span<const std::int16_t>, std::size_t,
                              WindowScratch<G2Curve>&, ThreadPool&);

}  // namespace cuzk::msm
