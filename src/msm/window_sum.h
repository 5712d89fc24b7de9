/// One window of a multi-scalar multiplication: buckets filled and summed.
#pragma once

#include <span>

#include "base/thread_pool.h"
#include "curve/g1.h"
#include "curve/g2.h"

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

/// The sum of digits[i] * bases[i], for digits in [-buckets, buckets]; at most 2^30 of them. `buckets` is a power of two.
template <class Curve>
Point<Curve> window_sum(const Bases<Curve>& bases, std::span<const std::int16_t> digits, std::size_t buckets,
                        ThreadPool& pool);

extern template G1 window_sum(const Bases<G1Curve>&, std::span<const std::int16_t>, std::size_t, ThreadPool&);
extern template G2 window_sum(const Bases<G2Curve>&, std::span<const std::int16_t>, std::size_t, ThreadPool&);

}  // namespace cuzk::msm
