/// Points for measurements of any size, made on the device: no file, and an identity that checks their sums.
#pragma once

#include "cuda/device_buffer.h"
#include "cuda/queue.h"
#include "curve/g1.h"
#include "curve/g2.h"

namespace cuzk::cuda {

/// first, first + step, first + 2 step ... : `count` points, all of them different as long as step is not of small
/// order. The sum of s_i times point i is (sum of s_i) first + (sum of i s_i) step.
template <class Curve>
DeviceBuffer<AffinePoint<Curve>> point_progression(const Queue& queue, const AffinePoint<Curve>& first,
                                                   const AffinePoint<Curve>& step, std::size_t count);

extern template DeviceBuffer<G1Affine> point_progression(const Queue&, const G1Affine&, const G1Affine&, std::size_t);
extern template DeviceBuffer<G2Affine> point_progression(const Queue&, const G2Affine&, const G2Affine&, std::size_t);

}  // namespace cuzk::cuda
