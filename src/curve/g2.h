/// G2: y^2 = x^3 + 4 (1 + u) over Fp2, a sextic twist.
#pragma once

#include "curve/point.h"
#include "field/fp2.h"

namespace cuzk {

struct G2Curve {
  using Field = Fp2;

  CUZK_HD static constexpr Fp2 b() { return {four(), four()}; }
  CUZK_HD static constexpr Fp2 generator_x() {
    return {Fp::from_montgomery_unchecked(Limbs<6>{{0xf5f28fa202940a10, 0xb3f5fb2687b4961a, 0xa1a893b53e2ae580,
                                                    0x9894999d1a3caee9, 0x6f67b7631863366b, 0x058191924350bcd7}}),
            Fp::from_montgomery_unchecked(Limbs<6>{{0xa5a9c0759e23f606, 0xaaa0c59dbccd60c3, 0x3bb17e18e2867806,
                                                    0x1b1ab6cc8541b367, 0xc2b6ed0ef2158547, 0x11922a097360edf3}})};
  }
  CUZK_HD static constexpr Fp2 generator_y() {
    return {Fp::from_montgomery_unchecked(Limbs<6>{{0x4c730af860494c4a, 0x597cfa1f5e369c5a, 0xe7e6856caa0a635a,
                                                    0xbbefb5e96e0d495f, 0x07d3a975f0ef25a2, 0x0083fd8e7e80dae5}}),
            Fp::from_montgomery_unchecked(Limbs<6>{{0xadc0fc92df64b05d, 0x18aa270a2b1461dc, 0x86adac6a3be4eba0,
                                                    0x79495c4ec93da33a, 0xe7175850a43ccaed, 0x0b2bc2a163de1bf2}})};
  }

 private:
  CUZK_HD static constexpr Fp four() { return Fp::one().doubled().doubled(); }
};

using G2Affine = AffinePoint<G2Curve>;
using G2 = Point<G2Curve>;

}  // namespace cuzk
