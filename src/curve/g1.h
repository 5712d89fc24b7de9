/// G1: y^2 = x^3 + 4 over Fp.
#pragma once

#include "curve/point.h"
#include "field/fp.h"

namespace cuzk {

struct G1Curve {
  using Field = Fp;

  CUZK_HD static constexpr Fp b() { return Fp::one().doubled().doubled(); }
  CUZK_HD static constexpr Fp generator_x() {
    return Fp::from_montgomery_unchecked(Limbs<6>{{0x5cb38790fd530c16, 0x7817fc679976fff5, 0x154f95c7143ba1c1,
                                                   0xf0ae6acdf3d0e747, 0xedce6ecc21dbf440, 0x120177419e0bfb75}});
  }
  CUZK_HD static constexpr Fp generator_y() {
    return Fp::from_montgomery_unchecked(Limbs<6>{{0xbaac93d50ce72271, 0x8c22631a7918fd8e, 0xdd595f13570725ce,
                                                   0x51ac582950405194, 0x0e1c8c3fad0059c0, 0x0bbc3efc5008a26a}});
  }
};

using G1Affine = AffinePoint<G1Curve>;
using G1 = Point<G1Curve>;

}  // namespace cuzk
