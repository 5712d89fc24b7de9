/// Sums of so few points that a round of affine additions (add_pairs.cuh) would be all latency: each thread adds up a
/// run of points in projective coordinates, and the threads of a block add up theirs in shared memory. That takes twice
/// the multiplications, but neither an inversion nor a launch for each halving. tuning.h says how many points are few.
#pragma once

#include <span>
#include <vector>

#include "cuda/queue.h"
#include "curve/g1.h"
#include "curve/g2.h"
#include "curve/point.h"

namespace cuzk::cuda {

/// The sum of `points`, in the device's memory. Waits for the device.
template <class Curve>
Point<Curve> sum_few(const Queue& queue, std::span<const AffinePoint<Curve>> points);

/// Of a table of points.
template <class Curve>
struct TableSums {
  Point<Curve> weighted;  ///< the sum of i times point i
  Point<Curve> plain;
};

/// `points`, in the device's memory, are tables of 2^log2_size points each, at least four. Waits for the device.
template <class Curve>
std::vector<TableSums<Curve>> weigh_few(const Queue& queue, std::span<const AffinePoint<Curve>> points,
                                        unsigned log2_size);

}  // namespace cuzk::cuda
