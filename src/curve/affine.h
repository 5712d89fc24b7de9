/// A point of a curve y^2 = x^3 + b in affine coordinates: the form of keys and proofs. Host and device.
#pragma once

#include "field/host_device.h"

namespace cuzk {

/// Infinity is x = y = 0, which is on neither curve since b is not zero. Nothing checks that a point is on the curve or
/// in the subgroup: the decoders of curve/encoding.h do.
template <class CurveParams>
struct AffinePoint {
  using Curve = CurveParams;
  using Field = typename Curve::Field;

  Field x, y;

  CUZK_HD static constexpr AffinePoint infinity() { return {Field::zero(), Field::zero()}; }
  /// The generator of the subgroup of order r that the standard names.
  CUZK_HD static constexpr AffinePoint generator() { return {Curve::generator_x(), Curve::generator_y()}; }

  CUZK_HD constexpr bool is_infinity() const { return x.is_zero() && y.is_zero(); }
  /// Infinity counts as on the curve.
  CUZK_HD constexpr bool is_on_curve() const { return is_infinity() || y.squared() == x.squared() * x + Curve::b(); }

  CUZK_HD constexpr AffinePoint operator-() const { return {x, -y}; }
  CUZK_HD friend constexpr bool operator==(const AffinePoint& p, const AffinePoint& q) {
    return p.x == q.x && p.y == q.y;
  }
};

}  // namespace cuzk
