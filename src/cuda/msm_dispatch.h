/// What multi-scalar multiplication enqueues: the part of msm.h that is compiled for devices.
#pragma once

#include "cuda/device_scalars.h"
#include "cuda/msm.h"

namespace cuzk::cuda {

/// multi_scalar_mul_indexed as tuned; sizes are not checked. No indices: scalar i belongs to point i.
template <class Curve>
Point<Curve> sum_windows(const Queue& queue, std::span<const AffinePoint<Curve>> points, std::span<const u32> indices,
                         const DeviceScalars& scalars, const MsmTuning& tuning);

}  // namespace cuzk::cuda
