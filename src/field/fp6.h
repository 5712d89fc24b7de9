/// Fp6 = Fp2[v] / (v^3 - (1 + u)). Bytes: c0 || c1 || c2. A step of the tower to Fp12.
#pragma once

#include "field/fp2.h"

namespace cuzk {

struct Fp6 {
  using Base = Fp2;
  static constexpr std::size_t kBytes = 3 * Fp2::kBytes;
  using Bytes = std::array<u8, kBytes>;

  Fp2 c0, c1, c2;

  CUZK_HD static constexpr Fp6 zero() { return {Fp2::zero(), Fp2::zero(), Fp2::zero()}; }
  CUZK_HD static constexpr Fp6 one() { return {Fp2::one(), Fp2::zero(), Fp2::zero()}; }

  /// Empty when a coefficient is not below the modulus.
  static std::optional<Fp6> from_bytes(std::span<const u8, kBytes> bytes) {
    const auto c0 = coefficient_from_bytes<Fp2>(bytes, 0), c1 = coefficient_from_bytes<Fp2>(bytes, 1),
               c2 = coefficient_from_bytes<Fp2>(bytes, 2);
    if (!c0 || !c1 || !c2) return std::nullopt;
    return Fp6{*c0, *c1, *c2};
  }
  Bytes to_bytes() const { return coefficients_to_bytes(c0, c1, c2); }

  CUZK_HD constexpr bool is_zero() const { return c0.is_zero() && c1.is_zero() && c2.is_zero(); }
  CUZK_HD constexpr bool is_one() const { return c0.is_one() && c1.is_zero() && c2.is_zero(); }
  CUZK_HD friend constexpr bool operator==(const Fp6& x, const Fp6& y) {
    return x.c0 == y.c0 && x.c1 == y.c1 && x.c2 == y.c2;
  }

  CUZK_HD friend constexpr Fp6 operator+(const Fp6& x, const Fp6& y) { return {x.c0 + y.c0, x.c1 + y.c1, x.c2 + y.c2}; }
  CUZK_HD friend constexpr Fp6 operator-(const Fp6& x, const Fp6& y) { return {x.c0 - y.c0, x.c1 - y.c1, x.c2 - y.c2}; }
  /// Karatsuba: six multiplications in Fp2.
  CUZK_HD friend constexpr Fp6 operator*(const Fp6& x, const Fp6& y) {
    const Fp2 p0 = x.c0 * y.c0, p1 = x.c1 * y.c1, p2 = x.c2 * y.c2;
    const Fp2 p12 = (x.c1 + x.c2) * (y.c1 + y.c2) - p1 - p2;
    const Fp2 p01 = (x.c0 + x.c1) * (y.c0 + y.c1) - p0 - p1;
    const Fp2 p02 = (x.c0 + x.c2) * (y.c0 + y.c2) - p0 - p2;
    return {p0 + p12.times_nonresidue(), p01 + p2.times_nonresidue(), p02 + p1};
  }
  CUZK_HD friend constexpr Fp6 operator*(const Fp6& x, const Fp2& y) { return {x.c0 * y, x.c1 * y, x.c2 * y}; }
  CUZK_HD constexpr Fp6 operator-() const { return {-c0, -c1, -c2}; }
  CUZK_HD constexpr Fp6& operator+=(const Fp6& y) { return *this = *this + y; }
  CUZK_HD constexpr Fp6& operator-=(const Fp6& y) { return *this = *this - y; }
  CUZK_HD constexpr Fp6& operator*=(const Fp6& y) { return *this = *this * y; }

  /// times y0 + y1 v: five multiplications in Fp2.
  CUZK_HD constexpr Fp6 times_sparse(const Fp2& y0, const Fp2& y1) const {
    const Fp2 p0 = c0 * y0, p1 = c1 * y1;
    const Fp2 p01 = (c0 + c1) * (y0 + y1) - p0 - p1;
    return {p0 + (c2 * y1).times_nonresidue(), p01, c2 * y0 + p1};
  }
  /// times y v.
  CUZK_HD constexpr Fp6 times_v(const Fp2& y) const { return {(c2 * y).times_nonresidue(), c0 * y, c1 * y}; }
  /// times v, of which Fp12 takes the square root.
  CUZK_HD constexpr Fp6 times_nonresidue() const { return {c2.times_nonresidue(), c0, c1}; }

  CUZK_HD constexpr Fp6 doubled() const { return {c0.doubled(), c1.doubled(), c2.doubled()}; }
  /// Chung, Hasan, "Asymmetric Squaring Formulae", SQR2: two multiplications and three squarings in Fp2.
  CUZK_HD constexpr Fp6 squared() const {
    const Fp2 s0 = c0.squared(), s1 = (c0 * c1).doubled(), s2 = (c0 - c1 + c2).squared();
    const Fp2 s3 = (c1 * c2).doubled(), s4 = c2.squared();
    return {s0 + s3.times_nonresidue(), s1 + s4.times_nonresidue(), s1 + s2 + s3 - s0 - s4};
  }

  /// x^(p^power).
  CUZK_HD constexpr Fp6 frobenius(unsigned power) const {
    // v^p = v (1 + u)^((p - 1) / 3)
    constexpr Fp2 v_factor{
        Fp::zero(), Fp::from_integer_unchecked(Limbs<6>{{0x8bfd00000000aaac, 0x409427eb4f49fffd, 0x897d29650fb85f9b,
                                                         0xaa0d857d89759ad4, 0xec02408663d4de85, 0x1a0111ea397fe699}})};
    constexpr Fp2 v_square_factor{
        Fp::from_integer_unchecked(Limbs<6>{{0x8bfd00000000aaad, 0x409427eb4f49fffd, 0x897d29650fb85f9b,
                                             0xaa0d857d89759ad4, 0xec02408663d4de85, 0x1a0111ea397fe699}}),
        Fp::zero()};
    Fp6 x = *this;
    for (unsigned i = 0; i < power % 6; ++i) {
      x = {x.c0.conjugate(), x.c1.conjugate() * v_factor, x.c2.conjugate() * v_square_factor};
    }
    return x;
  }

  /// 1 / this; zero gives zero.
  CUZK_HD constexpr Fp6 inverse() const {
    const Fp2 a = c0.squared() - (c1 * c2).times_nonresidue();
    const Fp2 b = c2.squared().times_nonresidue() - c0 * c1;
    const Fp2 c = c1.squared() - c0 * c2;
    const Fp2 norm = c0 * a + (c2 * b + c1 * c).times_nonresidue();
    return Fp6{a, b, c} * norm.inverse();
  }

  template <std::size_t M>
  CUZK_HD constexpr Fp6 pow(const Limbs<M>& exponent) const {
    return power(*this, exponent);
  }
};

}  // namespace cuzk
