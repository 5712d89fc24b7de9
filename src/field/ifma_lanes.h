/// Eight elements of a prime field side by side, in AVX-512 registers, as limbs of 52 bits.
///
/// A value is held in redundant form: limbs are signed 64-bit words and the value is below 2^(52 kLimbs), not below the
/// modulus. `+` and `minus` never carry; `carried()` brings the limbs into [0, 2^52), which `*` needs of both sides.
/// `*` is Montgomery's multiplication with R' = 2^(52 kLimbs): x * y / R', below x y / R' + m. So a factor is converted
/// once (Factor, factors) to w R', and x * factor keeps the form that x has in memory, the field's own.
/// Include only between field/ifma_begin.h and field/ifma_end.h, after <immintrin.h> and the field's header.
/// Source: Gueron, Krasnov, "Accelerating Big Integer Arithmetic Using Intel IFMA Extensions".
#pragma once

#if defined(__clang__)
#define CUZK_UNROLL _Pragma("clang loop unroll(full)")
#else
#define CUZK_UNROLL _Pragma("GCC unroll 16")
#endif

namespace cuzk {

template <class Field>
struct IfmaLanes {
  static constexpr std::size_t kLanes = 8;
  static constexpr std::size_t kWords = Field::kLimbs;
  static constexpr std::size_t kLimbs = (64 * kWords + 51) / 52;
  static constexpr u64 kMask = (u64{1} << 52) - 1;

  /// One constant for all lanes.
  struct Factor {
    Limbs<kLimbs> limb;

    static Factor from(const Field& w) { return {split((w * radix_ratio()).montgomery_form())}; }
  };

  __m512i limb[kLimbs];

  /// Limbs of 52 bits of an integer.
  static constexpr Limbs<kLimbs> split(const Limbs<kWords>& integer) {
    Limbs<kLimbs> result{};
    for (std::size_t i = 0; i < kLimbs; ++i) {
      const std::size_t word = 52 * i / 64, place = 52 * i % 64;
      u64 bits = integer[word] >> place;
      if (place > 12 && word + 1 < kWords) bits |= integer[word + 1] << (64 - place);
      result[i] = bits & kMask;
    }
    return result;
  }
  /// R' / R: what brings an element into the form of a factor.
  static constexpr Field radix_ratio() { return Field::from_u64(u64{1} << (52 * kLimbs - 64 * kWords)); }

  /// Elements first[0], first[stride] ... first[7 stride].
  static IfmaLanes load(const Field* first, std::size_t stride) {
    Limbs<kWords> words[kLanes];
    for (std::size_t lane = 0; lane < kLanes; ++lane) words[lane] = first[lane * stride].montgomery_form();
    return from_words(words);
  }

  /// Eight different factors.
  static IfmaLanes factors(const Field (&w)[kLanes]) {
    Field converted[kLanes];
    for (std::size_t lane = 0; lane < kLanes; ++lane) converted[lane] = w[lane] * radix_ratio();
    return load(converted, 1);
  }

  static __m512i broadcast(u64 value) { return _mm512_set1_epi64(static_cast<long long>(value)); }

  IfmaLanes carried() const {
    IfmaLanes result = *this;
    const __m512i mask = broadcast(kMask);
    CUZK_UNROLL for (std::size_t i = 0; i + 1 < kLimbs; ++i) {
      result.limb[i + 1] = _mm512_add_epi64(result.limb[i + 1], _mm512_srai_epi64(result.limb[i], 52));
      result.limb[i] = _mm512_and_si512(result.limb[i], mask);
    }
    return result;
  }

  friend IfmaLanes operator+(const IfmaLanes& x, const IfmaLanes& y) {
    IfmaLanes sum;
    CUZK_UNROLL for (std::size_t i = 0; i < kLimbs; ++i) sum.limb[i] = _mm512_add_epi64(x.limb[i], y.limb[i]);
    return sum;
  }

  /// x - y + multiple * m, which must not be negative.
  template <u64 kMultiple>
  IfmaLanes minus(const IfmaLanes& y) const {
    constexpr Limbs<kLimbs> offset = times_modulus(kMultiple);
    IfmaLanes difference;
    CUZK_UNROLL for (std::size_t i = 0; i < kLimbs; ++i) {
      difference.limb[i] = _mm512_sub_epi64(_mm512_add_epi64(limb[i], broadcast(offset[i])), y.limb[i]);
    }
    return difference;
  }

  friend IfmaLanes operator*(const IfmaLanes& x, const Factor& y) {
    return product(x, [&](std::size_t i) { return broadcast(y.limb[i]); });
  }
  friend IfmaLanes operator*(const IfmaLanes& x, const IfmaLanes& y) {
    return product(x, [&](std::size_t i) { return y.limb[i]; });
  }

  /// Canonical values to first[0], first[stride] ... The value is below 8 m... kept carried.
  void store(Field* first, std::size_t stride) const { canonical().write(first, stride); }

  /// In [0, m), carried. Takes any value below 2^(52 kLimbs - 2) and 2^32 m.
  IfmaLanes canonical() const { return near_canonical().subtract_modulus_if_not_below(); }

 private:
  static constexpr Limbs<kLimbs> kModulus = split(Field::kModulus);
  static constexpr u64 kInverse = Field::kMontgomeryInverse & kMask;

  static constexpr Limbs<kLimbs> times_modulus(u64 multiple) {
    Limbs<kLimbs> result{};
    u64 carry = 0;
    for (std::size_t i = 0; i < kLimbs; ++i) {
      const u64 limb = kModulus[i] * multiple + carry;  // multiples are below 2^11
      result[i] = i + 1 < kLimbs ? limb & kMask : limb;
      carry = limb >> 52;
    }
    return result;
  }
};

}  // namespace cuzk
