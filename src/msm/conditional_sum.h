/// The sum of the points whose bits are set: where bits of a witness meet a key.
#pragma once

#include <span>

#include "base/bit_vector.h"
#include "base/thread_pool.h"
#include "curve/g1.h"
#include "curve/g2.h"

namespace cuzk::msm {

/// The sum of points[i] over all i with bits[i] = 1. Both have the same length, else Error{invalid_input} tells both.
/// Any points are right, infinity and repeated ones included. Cost: about 6 multiplications in the field for a set bit.
/// Memory: about 4 MiB (G1) for each thread.
template <class Curve>
Point<Curve> conditional_sum(std::span<const AffinePoint<Curve>> points, BitSpan bits, ThreadPool& pool);

extern template G1 conditional_sum(std::span<const G1Affine>, BitSpan, ThreadPool&);
extern template G2 conditional_sum(std::span<const G2Affine>, BitSpan, ThreadPool&);

}  // namespace cuzk::msm
