/// What a conditional sum enqueues: the part of conditional_sum.h that is compiled for devices.
#pragma once

#include "cuda/conditional_sum.h"

namespace cuzk::cuda {

/// conditional_sum; sizes are not checked.
template <class Curve>
Point<Curve> sum_set(const Queue& queue, std::span<const AffinePoint<Curve>> points, std::span<const u64> words);

}  // namespace cuzk::cuda
