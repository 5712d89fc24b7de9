/// Points of a key's file made on the device: from big-endian bytes to Montgomery form, each checked.
#pragma once

#include <span>

#include "cuda/queue.h"
#include "curve/g1.h"
#include "curve/g2.h"

namespace cuzk::cuda {

inline constexpr u32 kNoPoint = UINT32_MAX;

/// points[i] = the uncompressed encoding i of `bytes` (curve/encoding.h). *first_bad, in the device's memory, becomes the
/// smaller of itself and first + i for the lowest i that is no point of the curve in canonical form, or infinity.
/// Subgroups are not looked at. `bytes` begin at a multiple of 16. Enqueued; does not wait.
template <class Curve>
void decode_points(const Stream& stream, std::span<const std::byte> bytes, std::span<AffinePoint<Curve>> points,
                   u32 first, u32* first_bad);

/// *first_bad becomes the smaller of itself and first + i for the lowest i whose point is not in the subgroup of order r. All
/// points are on their curve. Enqueued; does not wait.
template <class Curve>
void check_subgroups(const Stream& stream, std::span<const AffinePoint<Curve>> points, u32 first, u32* first_bad);

}  // namespace cuzk::cuda
