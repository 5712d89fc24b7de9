/// A prime field in Montgomery form: one shape for Fr and Fp, one source for host and device.
///
/// An element holds x * R mod m with R = 2^(64 N), always below m. Bytes are the canonical value (not Montgomery),
/// little-endian. Nothing here is constant-time: a prover's secrets stay in its process. The arithmetic is in
/// field/montgomery.h.
#pragma once

#include <array>
#include <optional>
#include <span>

#include "base/types.h"
#include "field/extension.h"
#include "field/inverse.h"
#include "field/limbs.h"
#include "field/montgomery.h"

namespace cuzk {

/// Params: kLimbs, kModulus, kOne (R), kR2 (R^2), kInverse (-m^-1 mod 2^64).
template <class Params>
class PrimeField {
 public:
  static constexpr std::size_t kLimbs = Params::kLimbs;
  static constexpr std::size_t kBytes = 8 * kLimbs;
  static constexpr Limbs<kLimbs> kModulus = Params::kModulus;
  using Integer = Limbs<kLimbs>;
  using Bytes = std::array<u8, kBytes>;

  PrimeField() = default;  ///< not initialised, so that arrays cost nothing

  CUZK_HD static constexpr PrimeField zero() { return PrimeField(Integer{}); }
  CUZK_HD static constexpr PrimeField one() { return PrimeField(Params::kOne); }
  CUZK_HD static constexpr PrimeField from_u64(u64 value) { return from_integer_unchecked(Integer{{value}}); }
  /// The value of an integer below the modulus; not checked.
  CUZK_HD static constexpr PrimeField from_integer_unchecked(const Integer& value) {
    return PrimeField(value) * PrimeField(Params::kR2);
  }
  /// Takes the Montgomery form as it is; not checked.
  CUZK_HD static constexpr PrimeField from_montgomery_unchecked(const Integer& form) { return PrimeField(form); }

  /// Empty when the value is not below the modulus.
  static std::optional<PrimeField> from_bytes(std::span<const u8, kBytes> little_endian) {
    const Integer value = load(little_endian);
    if (!less(value, kModulus)) return std::nullopt;
    return from_integer_unchecked(value);
  }
  Bytes to_bytes() const { return store(to_integer()); }

  /// The canonical value, below the modulus.
  CUZK_HD constexpr Integer to_integer() const { return montgomery_multiply<Params>(value_, Integer{{1}}); }
  CUZK_HD constexpr const Integer& montgomery_form() const { return value_; }

  CUZK_HD constexpr bool is_zero() const { return cuzk::is_zero(value_); }
  CUZK_HD constexpr bool is_one() const { return value_ == Params::kOne; }
  CUZK_HD friend constexpr bool operator==(const PrimeField& x, const PrimeField& y) { return x.value_ == y.value_; }

  CUZK_HD friend constexpr PrimeField operator+(PrimeField x, const PrimeField& y) { return x += y; }
  CUZK_HD friend constexpr PrimeField operator-(PrimeField x, const PrimeField& y) { return x -= y; }
  CUZK_HD friend constexpr PrimeField operator*(const PrimeField& x, const PrimeField& y) {
    return PrimeField(montgomery_multiply<Params>(x.value_, y.value_));
  }
  CUZK_HD constexpr PrimeField operator-() const { return zero() - *this; }
  CUZK_HD constexpr PrimeField& operator+=(const PrimeField& y) {
    value_ = montgomery_add<Params>(value_, y.value_);
    return *this;
  }
  CUZK_HD constexpr PrimeField& operator-=(const PrimeField& y) {
    value_ = montgomery_subtract<Params>(value_, y.value_);
    return *this;
  }
  CUZK_HD constexpr PrimeField& operator*=(const PrimeField& y) { return *this = *this * y; }

  /// x0 y0 + x1 y1; Fp only.
  CUZK_HD static constexpr PrimeField sum_of_products(const PrimeField& x0, const PrimeField& y0, const PrimeField& x1,
                                                      const PrimeField& y1) {
    return PrimeField(montgomery_sum_of_products<Params>(x0.value_, y0.value_, x1.value_, y1.value_));
  }

  CUZK_HD constexpr PrimeField doubled() const { return *this + *this; }
  CUZK_HD constexpr PrimeField squared() const { return *this * *this; }

  /// this^exponent; the exponent is a little-endian integer of any length.
  template <std::size_t M>
  CUZK_HD constexpr PrimeField pow(const Limbs<M>& exponent) const {
    return power(*this, exponent);
  }
  CUZK_HD constexpr PrimeField pow(u64 exponent) const { return pow(Limbs<1>{{exponent}}); }

  /// 1 / this; zero gives zero.
  CUZK_HD constexpr PrimeField inverse() const {
#ifdef __CUDA_ARCH__
    return inverse_by_power();
#else
    const PrimeField r_square(Params::kR2);
    return PrimeField(DivisionSteps<Params>::inverse(value_)) * r_square * r_square;
#endif
  }
  /// The same by Fermat, this^(m - 2): the reference, and the form for devices.
  CUZK_HD constexpr PrimeField inverse_by_power() const {
    constexpr Integer modulus = kModulus;  // device code has no static members: everywhere a local constant
    Integer exponent = modulus;
    sub_in_place(exponent, Integer{{2}});
    return pow(exponent);
  }

 private:
  CUZK_HD constexpr explicit PrimeField(const Integer& form) : value_(form) {}

  static Integer load(std::span<const u8, kBytes> bytes) {
    Integer value{};
    for (std::size_t i = 0; i < kBytes; ++i) value[i / 8] |= static_cast<u64>(bytes[i]) << (8 * (i % 8));
    return value;
  }
  static Bytes store(const Integer& value) {
    Bytes bytes;
    for (std::size_t i = 0; i < kBytes; ++i) bytes[i] = static_cast<u8>(value[i / 8] >> (8 * (i % 8)));
    return bytes;
  }

  Integer value_;
};

}  // namespace cuzk
