/// Squares on a device: where a field has a form of its own that is cheaper than a product.
#pragma once

#include "field/fp.h"
#include "field/fp2.h"

namespace cuzk::cuda {

template <class Field>
__device__ Field square(const Field& x) {
  return x.squared();
}

__device__ inline Fp square(const Fp& x) {
  return Fp::from_montgomery_unchecked(device::square<FpParams>(x.montgomery_form()));
}

}  // namespace cuzk::cuda
