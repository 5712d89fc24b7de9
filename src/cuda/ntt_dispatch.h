/// What a transform enqueues: the part of ntt.h that is compiled for devices.
#pragma once

#include "cuda/ntt.h"

namespace cuzk::cuda {

/// What every value is multiplied by before the first pass or after the last, in the device's memory: one factor for
/// all, or the powers of an element, value i by the i-th. Null: nothing.
struct NttScaling {
  const ConstantFactor* constant = nullptr;
  PowerTable powers{};
};

/// Transforms 2^k values from `values` to `values` or `spare`; which one is returned. Both are used up.
Fr* transform(const Queue& queue, unsigned k, const NttRoots& roots, const NttScaling& before, const NttScaling& after,
              Fr* values, Fr* spare);

}  // namespace cuzk::cuda
