/// A point of a curve y^2 = x^3 + b in Jacobian coordinates: the form in which sums are taken. Host and device.
///
/// (x, y, z) stands for (x / z^2, y / z^3); z = 0 is infinity. Every operation is right for every input: equal points,
/// opposite points and infinity included. Nothing is constant-time.
/// Source of the formulas: Bernstein, Lange, Explicit-Formulas Database, "dbl-2009-l", "add-2007-bl", "madd-2007-bl".
#pragma once

#include "curve/affine.h"
#include "field/fr.h"

namespace cuzk {

template <class CurveParams>
struct Point {
  using Curve = CurveParams;
  using Field = typename Curve::Field;
  using Affine = AffinePoint<Curve>;

  Field x, y, z;

  Point() = default;  ///< not initialised, so that arrays cost nothing
  CUZK_HD constexpr Point(const Field& x_, const Field& y_, const Field& z_) : x(x_), y(y_), z(z_) {}
  CUZK_HD constexpr Point(const Affine& p) : x(p.x), y(p.y), z(p.is_infinity() ? Field::zero() : Field::one()) {}

  CUZK_HD static constexpr Point infinity() { return {Field::one(), Field::one(), Field::zero()}; }
  CUZK_HD static constexpr Point generator() { return Affine::generator(); }

  CUZK_HD constexpr bool is_infinity() const { return z.is_zero(); }

  /// One inversion in the field; curve/normalize.h shares it among many points.
  CUZK_HD constexpr Affine to_affine() const { return scaled_by(z.inverse()); }
  /// The affine form, given 1 / z (or 0 for infinity).
  CUZK_HD constexpr Affine scaled_by(const Field& z_inverse) const {
    const Field square = z_inverse.squared();
    return {x * square, y * (square * z_inverse)};
  }

  CUZK_HD friend constexpr bool operator==(const Point& p, const Point& q) {
    if (p.is_infinity() || q.is_infinity()) return p.is_infinity() == q.is_infinity();
    const Field p_square = p.z.squared(), q_square = q.z.squared();
    return p.x * q_square == q.x * p_square && p.y * (q_square * q.z) == q.y * (p_square * p.z);
  }

  CUZK_HD constexpr Point operator-() const { return {x, -y, z}; }
  CUZK_HD constexpr Point& operator+=(const Point& q) { return *this = *this + q; }
  CUZK_HD constexpr Point& operator+=(const Affine& q) { return *this = *this + q; }
  CUZK_HD constexpr Point& operator-=(const Point& q) { return *this = *this + -q; }
  CUZK_HD constexpr Point& operator-=(const Affine& q) { return *this = *this + -q; }
  CUZK_HD friend constexpr Point operator-(const Point& p, const Point& q) { return p + -q; }
  CUZK_HD friend constexpr Point operator-(const Point& p, const Affine& q) { return p + -q; }

  CUZK_HD constexpr Point doubled() const {
    const Field a = x.squared(), b = y.squared(), c = b.squared();
    const Field d = ((x + b).squared() - a - c).doubled();
    const Field e = a.doubled() + a;
    const Field sum_x = e.squared() - d.doubled();
    const Field sum_y = e * (d - sum_x) - c.doubled().doubled().doubled();
    return {sum_x, sum_y, (y * z).doubled()};
  }

  CUZK_HD friend constexpr Point operator+(const Point& p, const Point& q) {
    if (p.is_infinity()) return q;
    if (q.is_infinity()) return p;
    const Field p_square = p.z.squared(), q_square = q.z.squared();
    const Field p_x = p.x * q_square, q_x = q.x * p_square;
    const Field p_y = p.y * (q_square * q.z), q_y = q.y * (p_square * p.z);
    const Field dx = q_x - p_x, dy = q_y - p_y;
    if (dx.is_zero()) return dy.is_zero() ? p.doubled() : infinity();
    const Field z_product = (p.z + q.z).squared() - p_square - q_square;
    return chord(p_x, p_y, dx, dy, z_product * dx);
  }

  CUZK_HD friend constexpr Point operator+(const Point& p, const Affine& q) {
    if (q.is_infinity()) return p;
    if (p.is_infinity()) return q;
    const Field p_square = p.z.squared();
    const Field dx = q.x * p_square - p.x;
    const Field dy = q.y * (p_square * p.z) - p.y;
    if (dx.is_zero()) return dy.is_zero() ? p.doubled() : infinity();
    return chord(p.x, p.y, dx, dy, (p.z * dx).doubled());
  }

  /// this times an integer of any length; windows of four bits.
  template <std::size_t M>
  CUZK_HD constexpr Point times(const Limbs<M>& integer) const {
    constexpr std::size_t kWindow = 4;
    Point multiples[1 << kWindow];
    multiples[0] = infinity();
    for (std::size_t i = 1; i < 1 << kWindow; ++i) multiples[i] = multiples[i - 1] + *this;
    Point sum = infinity();
    for (std::size_t i = 64 * M / kWindow; i-- > 0;) {
      for (std::size_t k = 0; k < kWindow; ++k) sum = sum.doubled();
      sum += multiples[integer[i * kWindow / 64] >> (i * kWindow % 64) & 15];
    }
    return sum;
  }
  CUZK_HD friend constexpr Point operator*(const Point& p, const Fr& scalar) { return p.times(scalar.to_integer()); }

 private:
  /// The third point of the line through p and q, reflected. (x, y) and the differences share one denominator; z3 is
  /// twice the product of it and dx.
  CUZK_HD static constexpr Point chord(const Field& p_x, const Field& p_y, const Field& dx, const Field& dy,
                                       const Field& z3) {
    const Field i = dx.doubled().squared(), j = dx * i;
    const Field r = dy.doubled(), v = p_x * i;
    const Field sum_x = r.squared() - j - v.doubled();
    const Field sum_y = r * (v - sum_x) - (p_y * j).doubled();
    return {sum_x, sum_y, z3};
  }
};

template <class Curve>
CUZK_HD constexpr Point<Curve> operator*(const AffinePoint<Curve>& p, const Fr& scalar) {
  return Point<Curve>(p) * scalar;
}

}  // namespace cuzk
