/// One inversion in the field on one thread.
#pragma once

#include "cuda/division_steps.cuh"
#include "field/fp2.h"

namespace cuzk::cuda {

/// 1 / x; zero gives zero.
CUZK_HD inline Fp inverse(const Fp& x) {
  constexpr auto r_square = FpParams::kR2;
  const Fp correction = Fp::from_montgomery_unchecked(r_square);
  return Fp::from_montgomery_unchecked(DivisionSteps<FpParams>::inverse(x.montgomery_form())) * correction * correction;
}

CUZK_HD inline Fp2 inverse(const Fp2& x) {
  const Fp scale = inverse(x.norm());
  return {x.c0 * scale, -(x.c1 * scale)};
}

}  // namespace cuzk::cuda
