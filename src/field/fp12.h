/// Fp12 = Fp6[w] / (w^2 - v), in which pairings have their values. Bytes: c0 || c1.
#pragma once

#include "field/fp6.h"

namespace cuzk {

struct Fp12 {
  using Base = Fp6;
  static constexpr std::size_t kBytes = 2 * Fp6::kBytes;
  using Bytes = std::array<u8, kBytes>;

  Fp6 c0, c1;

  CUZK_HD static constexpr Fp12 zero() { return {Fp6::zero(), Fp6::zero()}; }
  CUZK_HD static constexpr Fp12 one() { return {Fp6::one(), Fp6::zero()}; }

  /// Empty when a coefficient is not below the modulus.
  static std::optional<Fp12> from_bytes(std::span<const u8, kBytes> bytes) {
    const auto c0 = coefficient_from_bytes<Fp6>(bytes, 0), c1 = coefficient_from_bytes<Fp6>(bytes, 1);
    if (!c0 || !c1) return std::nullopt;
    return Fp12{*c0, *c1};
  }
  Bytes to_bytes() const { return coefficients_to_bytes(c0, c1); }

  CUZK_HD constexpr bool is_zero() const { return c0.is_zero() && c1.is_zero(); }
  CUZK_HD constexpr bool is_one() const { return c0.is_one() && c1.is_zero(); }
  CUZK_HD friend constexpr bool operator==(const Fp12& x, const Fp12& y) { return x.c0 == y.c0 && x.c1 == y.c1; }

  CUZK_HD friend constexpr Fp12 operator+(const Fp12& x, const Fp12& y) { return {x.c0 + y.c0, x.c1 + y.c1}; }
  CUZK_HD friend constexpr Fp12 operator-(const Fp12& x, const Fp12& y) { return {x.c0 - y.c0, x.c1 - y.c1}; }
  /// Karatsuba: three multiplications in Fp6.
  CUZK_HD friend constexpr Fp12 operator*(const Fp12& x, const Fp12& y) {
    const Fp6 low = x.c0 * y.c0, high = x.c1 * y.c1;
    const Fp6 cross = (x.c0 + x.c1) * (y.c0 + y.c1);
    return {low + high.times_nonresidue(), cross - low - high};
  }
  CUZK_HD constexpr Fp12 operator-() const { return {-c0, -c1}; }
  CUZK_HD constexpr Fp12& operator+=(const Fp12& y) { return *this = *this + y; }
  CUZK_HD constexpr Fp12& operator-=(const Fp12& y) { return *this = *this - y; }
  CUZK_HD constexpr Fp12& operator*=(const Fp12& y) { return *this = *this * y; }

  /// times y0 + y1 v + y4 v w, the shape of a line: thirteen multiplications in Fp2.
  CUZK_HD constexpr Fp12 times_line(const Fp2& y0, const Fp2& y1, const Fp2& y4) const {
    const Fp6 low = c0.times_sparse(y0, y1), high = c1.times_v(y4);
    const Fp6 cross = (c0 + c1).times_sparse(y0, y1 + y4);
    return {low + high.times_nonresidue(), cross - low - high};
  }

  CUZK_HD constexpr Fp12 doubled() const { return {c0.doubled(), c1.doubled()}; }
  /// (c0 + c1)(c0 + v c1) and c0 c1: two multiplications in Fp6.
  CUZK_HD constexpr Fp12 squared() const {
    const Fp6 product = c0 * c1;
    const Fp6 both = (c0 + c1) * (c0 + c1.times_nonresidue());
    return {both - product - product.times_nonresidue(), product.doubled()};
  }
  /// The square of an element whose order divides p^4 - p^2 + 1; wrong for others.
  /// Source: Granger, Scott, "Faster squaring in the cyclotomic subgroup of sixth degree extensions" (2010).
  CUZK_HD constexpr Fp12 cyclotomic_squared() const {
    const Fp4 a = square_in_fp4(c0.c0, c1.c1), b = square_in_fp4(c1.c0, c0.c2), c = square_in_fp4(c0.c1, c1.c2);
    return {{thrice_less_twice(a.low, c0.c0), thrice_less_twice(b.low, c0.c1), thrice_less_twice(c.low, c0.c2)},
            {thrice_plus_twice(c.high.times_nonresidue(), c1.c0), thrice_plus_twice(a.high, c1.c1),
             thrice_plus_twice(b.high, c1.c2)}};
  }

  /// c0 - c1 w; this is x^(p^6), and the inverse of an element whose order divides p^6 + 1.
  CUZK_HD constexpr Fp12 conjugate() const { return {c0, -c1}; }
  /// x^(p^power).
  CUZK_HD constexpr Fp12 frobenius(unsigned power) const {
    // w^p = w (1 + u)^((p - 1) / 6)
    constexpr Fp2 w_factor{
        Fp::from_integer_unchecked(Limbs<6>{{0x8d0775ed92235fb8, 0xf67ea53d63e7813d, 0x7b2443d784bab9c4,
                                             0x0fd603fd3cbd5f4f, 0xc231beb4202c0d1f, 0x1904d3bf02bb0667}}),
        Fp::from_integer_unchecked(Limbs<6>{{0x2cf78a126ddc4af3, 0x282d5ac14d6c7ec2, 0xec0c8ec971f63c5f,
                                             0x54a14787b6c7b36f, 0x88e9e902231f9fb8, 0x00fc3e2b36c4e032}})};
    Fp12 x = *this;
    for (unsigned i = 0; i < power % 12; ++i) x = {x.c0.frobenius(1), x.c1.frobenius(1) * w_factor};
    return x;
  }

  /// 1 / this; zero gives zero.
  CUZK_HD constexpr Fp12 inverse() const {
    const Fp6 scale = (c0.squared() - c1.squared().times_nonresidue()).inverse();
    return {c0 * scale, -(c1 * scale)};
  }

  template <std::size_t M>
  CUZK_HD constexpr Fp12 pow(const Limbs<M>& exponent) const {
    return power(*this, exponent);
  }

 private:
  struct Fp4 {
    Fp2 low, high;
  };
  /// (x + y s)^2 with s^2 = 1 + u.
  CUZK_HD static constexpr Fp4 square_in_fp4(const Fp2& x, const Fp2& y) {
    const Fp2 x_square = x.squared(), y_square = y.squared();
    return {y_square.times_nonresidue() + x_square, (x + y).squared() - x_square - y_square};
  }
  CUZK_HD static constexpr Fp2 thrice_less_twice(const Fp2& x, const Fp2& y) { return (x - y).doubled() + x; }
  CUZK_HD static constexpr Fp2 thrice_plus_twice(const Fp2& x, const Fp2& y) { return (x + y).doubled() + x; }
};

}  // namespace cuzk
