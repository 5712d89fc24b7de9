/// Fp2 = Fp[u] / (u^2 + 1), in which the coordinates of G2 live. Bytes: c0 || c1, each little-endian canonical.
#pragma once

#include "field/extension.h"
#include "field/fp.h"

namespace cuzk {

struct Fp2 {
  using Base = Fp;
  static constexpr std::size_t kBytes = 2 * Fp::kBytes;
  using Bytes = std::array<u8, kBytes>;

  Fp c0, c1;

  CUZK_HD static constexpr Fp2 zero() { return {Fp::zero(), Fp::zero()}; }
  CUZK_HD static constexpr Fp2 one() { return {Fp::one(), Fp::zero()}; }
  CUZK_HD static constexpr Fp2 from_u64(u64 value) { return {Fp::from_u64(value), Fp::zero()}; }

  /// Empty when a coefficient is not below the modulus.
  static std::optional<Fp2> from_bytes(std::span<const u8, kBytes> bytes) {
    const auto c0 = coefficient_from_bytes<Fp>(bytes, 0), c1 = coefficient_from_bytes<Fp>(bytes, 1);
    if (!c0 || !c1) return std::nullopt;
    return Fp2{*c0, *c1};
  }
  Bytes to_bytes() const { return coefficients_to_bytes(c0, c1); }

  CUZK_HD constexpr bool is_zero() const { return c0.is_zero() && c1.is_zero(); }
  CUZK_HD constexpr bool is_one() const { return c0.is_one() && c1.is_zero(); }
  CUZK_HD friend constexpr bool operator==(const Fp2& x, const Fp2& y) { return x.c0 == y.c0 && x.c1 == y.c1; }

  CUZK_HD friend constexpr Fp2 operator+(const Fp2& x, const Fp2& y) { return {x.c0 + y.c0, x.c1 + y.c1}; }
  CUZK_HD friend constexpr Fp2 operator-(const Fp2& x, const Fp2& y) { return {x.c0 - y.c0, x.c1 - y.c1}; }
  /// Two sums of products, or Karatsuba's three multiplications where those are not fast.
  CUZK_HD friend constexpr Fp2 operator*(const Fp2& x, const Fp2& y) {
    if constexpr (kFastSumOfProducts) {
      return {Fp::sum_of_products(x.c0, y.c0, -x.c1, y.c1), Fp::sum_of_products(x.c0, y.c1, x.c1, y.c0)};
    }
    const Fp low = x.c0 * y.c0, high = x.c1 * y.c1;
    const Fp cross = (x.c0 + x.c1) * (y.c0 + y.c1);
    return {low - high, cross - low - high};
  }
  CUZK_HD friend constexpr Fp2 operator*(const Fp2& x, const Fp& y) { return {x.c0 * y, x.c1 * y}; }
  CUZK_HD constexpr Fp2 operator-() const { return {-c0, -c1}; }
  CUZK_HD constexpr Fp2& operator+=(const Fp2& y) { return *this = *this + y; }
  CUZK_HD constexpr Fp2& operator-=(const Fp2& y) { return *this = *this - y; }
  CUZK_HD constexpr Fp2& operator*=(const Fp2& y) { return *this = *this * y; }

  CUZK_HD constexpr Fp2 doubled() const { return {c0.doubled(), c1.doubled()}; }
  /// (c0 + c1)(c0 - c1) + 2 c0 c1 u: two multiplications in Fp.
  CUZK_HD constexpr Fp2 squared() const {
    const Fp product = c0 * c1;
    return {(c0 + c1) * (c0 - c1), product.doubled()};
  }

  /// c0 - c1 u; this is also the Frobenius map x^p.
  CUZK_HD constexpr Fp2 conjugate() const { return {c0, -c1}; }
  /// c0^2 + c1^2, in Fp.
  CUZK_HD constexpr Fp norm() const { return c0.squared() + c1.squared(); }
  /// times 1 + u, of which Fp6 takes the cube root.
  CUZK_HD constexpr Fp2 times_nonresidue() const { return {c0 - c1, c0 + c1}; }
  /// x^(p^power).
  CUZK_HD constexpr Fp2 frobenius(unsigned power) const { return power % 2 == 0 ? *this : conjugate(); }

  /// 1 / this; zero gives zero.
  CUZK_HD constexpr Fp2 inverse() const {
    const Fp scale = norm().inverse();
    return {c0 * scale, -(c1 * scale)};
  }

  template <std::size_t M>
  CUZK_HD constexpr Fp2 pow(const Limbs<M>& exponent) const {
    return power(*this, exponent);
  }
};

}  // namespace cuzk
