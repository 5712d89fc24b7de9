/// Multiples of points, with which windows of a scalar share their buckets (windows.h): a product then has fewer buckets
/// to add up, and can afford wider windows. For points that meet many scalars, as those of a key do.
///
/// Source: Brickell, Gordon, McCurley, Wilson, "Fast Exponentiation with Precomputation" (EUROCRYPT '92).
#pragma once

#include "cuda/device_buffer.h"
#include "cuda/msm.h"
#include "cuda/queue.h"

namespace cuzk::cuda {

/// What multi_scalar_mul_tuned takes for points with tuning.multiples: the points, 2^d times them, 2^(2d) times them and
/// so on, with d the doublings between two windows of a set. Enqueues only. Takes 96 bytes for each, and 150 for each of
/// 2^22 points. Costs a third of a nanosecond for each doubling on an H200: 6 s for twice the 2^27 points of PoRep-32G.
DeviceBuffer<G1Affine> point_multiples(const Queue& queue, std::span<const G1Affine> points, const MsmTuning& tuning);

}  // namespace cuzk::cuda
