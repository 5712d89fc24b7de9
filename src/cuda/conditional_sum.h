/// The sum of the points whose bits are set, on a device: where bits of a witness meet a key.
#pragma once

#include <span>

#include "cuda/queue.h"
#include "curve/g1.h"
#include "curve/g2.h"

namespace cuzk::cuda {

/// The sum of points[i] over all i with bit i set: bit i mod 64 of words[i / 64]. Points and words are in the device's
/// memory; there are as many words as the points need, else Error{invalid_input} tells both numbers, and bits behind
/// the last point are 0. Fewer than 2^31 points. Equals msm::conditional_sum. Waits for the device.
/// Memory: for each set bit 4 bytes, and 120 (G2: 240).
template <class Curve>
Point<Curve> conditional_sum(const Queue& queue, std::span<const AffinePoint<Curve>> points,
                             std::span<const u64> words);

/// The sum of points[i] over all i of `indices`, which are of the device, below points.size() (not checked) and may repeat.
/// At most 2^32 - 1 of them. Waits for the device. Memory: 120 bytes for each (G2: 240).
template <class Curve>
Point<Curve> listed_sum(const Queue& queue, std::span<const AffinePoint<Curve>> points, std::span<const u32> indices);

extern template G1 listed_sum(const Queue&, std::span<const G1Affine>, std::span<const u32>);
extern template G2 listed_sum(const Queue&, std::span<const G2Affine>, std::span<const u32>);
extern template G1 conditional_sum(const Queue&, std::span<const G1Affine>, std::span<const u64>);
extern template G2 conditional_sum(const Queue&, std::span<const G2Affine>, std::span<const u64>);

}  // namespace cuzk::cuda
