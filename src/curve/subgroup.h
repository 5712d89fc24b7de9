/// Membership in the subgroup of order r by an endomorphism: one multiplication by a 64-bit (G2) or 128-bit (G1)
/// integer instead of one by r. Host and device. Source: Scott, "A note on group membership tests for G1, G2 and GT on
/// BLS pairing-friendly curves" (2021).
#pragma once

#include "curve/g1.h"
#include "curve/g2.h"

namespace cuzk {

/// The curve's parameter is x = -kCurveX; r = x^4 - x^2 + 1.
inline constexpr u64 kCurveX = 0xd201000000010000;

/// (x, y) -> (beta x, y), which is multiplication by -x^2 on G1; beta^3 = 1.
CUZK_HD constexpr G1Affine endomorphism(const G1Affine& p) {
  constexpr Fp beta = Fp::from_integer_unchecked(Limbs<6>{
      {0x2e01fffffffefffe, 0xde17d813620a0002, 0xddb3a93be6f89688, 0xba69c6076a0f77ea, 0x5f19672fdf76ce51, 0}});
  return {p.x * beta, p.y};
}

/// Untwist, Frobenius, twist, which is multiplication by the curve's x on G2: the conjugates times
/// (1 + u)^-((p - 1) / 3) and (1 + u)^-((p - 1) / 2).
CUZK_HD constexpr G2Affine endomorphism(const G2Affine& p) {
  constexpr Fp2 x_factor{
      Fp::zero(), Fp::from_integer_unchecked(Limbs<6>{{0x8bfd00000000aaad, 0x409427eb4f49fffd, 0x897d29650fb85f9b,
                                                       0xaa0d857d89759ad4, 0xec02408663d4de85, 0x1a0111ea397fe699}})};
  constexpr Fp2 y_factor{
      Fp::from_integer_unchecked(Limbs<6>{{0xf1ee7b04121bdea2, 0x304466cf3e67fa0a, 0xef396489f61eb45e,
                                           0x1c3dedd930b1cf60, 0xe2e9c448d77a2cd9, 0x135203e60180a68e}}),
      Fp::from_integer_unchecked(Limbs<6>{{0xc81084fbede3cc09, 0xee67992f72ec05f4, 0x77f76e17009241c5,
                                           0x48395dabc2d3435e, 0x6831e36d6bd17ffe, 0x06af0e0437ff400b}})};
  return {p.x.conjugate() * x_factor, p.y.conjugate() * y_factor};
}

/// |x| times p: 63 doublings and five additions.
template <class Curve>
CUZK_HD constexpr Point<Curve> times_curve_x(const Point<Curve>& p) {
  Point<Curve> sum = p;
  for (int i = 62; i >= 0; --i) {
    sum = sum.doubled();
    if (((kCurveX >> i) & 1) != 0) sum += p;
  }
  return sum;
}

/// For a point on the curve: whether it is in G1.
CUZK_HD constexpr bool is_in_subgroup(const G1Affine& p) {
  return times_curve_x(times_curve_x(G1(p))) == -G1(endomorphism(p));
}

/// For a point on the twist: whether it is in G2.
CUZK_HD constexpr bool is_in_subgroup(const G2Affine& p) { return times_curve_x(G2(p)) == -G2(endomorphism(p)); }

}  // namespace cuzk
