/// The inverse modulo an odd number by division steps, about ten times faster than Fermat's power. Host only: its
/// branches and trip counts depend on the value, which suits neither a warp nor a secret.
/// Source: Bernstein, Yang, "Fast constant-time gcd computation and modular inversion" (2019), with steps in bulk: 62
/// of them depend on the low words only and are one 2 by 2 matrix, which is then applied to the long numbers.
#pragma once

#include <algorithm>
#include <bit>

#include "field/limbs.h"

namespace cuzk {

__extension__ using i128 = __int128;

/// Finds x^-1 mod m; Params as in PrimeField.
template <class Params>
class DivisionSteps {
 public:
  using Integer = Limbs<Params::kLimbs>;

  /// x is below the modulus; zero gives zero. Plain integers, not Montgomery forms.
  static constexpr Integer inverse(const Integer& x) {
    DivisionSteps state(x);
    while (!state.finished()) state.advance(state.low_word_steps());
    return state.result();
  }

 private:
  static constexpr int kBits = 62;
  static constexpr u64 kMask = (u64{1} << kBits) - 1;
  static constexpr std::size_t kWords = Params::kLimbs + 1;

  /// The sum of word[i] 2^(62 i); all but the last word are in [0, 2^62), the last has the sign.
  struct Signed {
    i64 word[kWords];

    constexpr bool is_negative() const { return word[kWords - 1] < 0; }
  };
  /// 2^62 (f, g) after 62 steps = (u f + v g, q f + r g) before them; |u| + |v| and |q| + |r| are at most 2^62.
  struct Matrix {
    i64 u, v, q, r;
  };

  constexpr explicit DivisionSteps(const Integer& x) : f_(split(Params::kModulus)), g_(split(x)), d_{}, e_{{1}} {}

  constexpr bool finished() const {
    i64 any = 0;
    for (i64 word : g_.word) any |= word;
    return any == 0;
  }

  /// 62 steps on the low words, several at once: while delta is not positive, multiples of f are added to g.
  constexpr Matrix low_word_steps() {
    Matrix m{1, 0, 0, 1};
    u64 f = low_word(f_), g = low_word(g_);
    for (int left = kBits;;) {
      const int zeros = std::countr_zero(g | ~u64{0} << left);
      g >>= zeros;
      m.u <<= zeros;
      m.v <<= zeros;
      delta_ += zeros;
      left -= zeros;
      if (left == 0) return m;
      if (delta_ > 0) {
        delta_ = -delta_;
        const u64 old_f = f;
        f = g;
        g = -old_f;
        m = {m.q, m.r, -m.u, -m.v};
      }
      const int bits = std::min({1 - delta_, left, 6});  // f (f^2 - 2) is -1/f modulo 2^6
      const u64 factor = g * f * (f * f - 2) & ((u64{1} << bits) - 1);
      g += f * factor;
      m.q += m.u * static_cast<i64>(factor);
      m.r += m.v * static_cast<i64>(factor);
    }
  }

  constexpr void advance(const Matrix& m) {
    const Signed f = combine(m.u, f_, m.v, g_, 0), g = combine(m.q, f_, m.r, g_, 0);
    const Signed d = combine(m.u, d_, m.v, e_, clearing_multiple(m.u, m.v));
    const Signed e = combine(m.q, d_, m.r, e_, clearing_multiple(m.q, m.r));
    f_ = f;
    g_ = g;
    d_ = d;
    e_ = e;
  }

  /// (a x + b y + c modulus) / 2^62, which is a whole number.
  static constexpr Signed combine(i64 a, const Signed& x, i64 b, const Signed& y, i64 c) {
    constexpr Signed modulus = split(Params::kModulus);
    Signed result{};
    i128 sum = 0;
    for (std::size_t i = 0; i < kWords; ++i) {
      sum += static_cast<i128>(a) * x.word[i] + static_cast<i128>(b) * y.word[i];
      if (c != 0) sum += static_cast<i128>(c) * modulus.word[i];
      if (i > 0) result.word[i - 1] = static_cast<i64>(static_cast<u64>(sum) & kMask);
      sum >>= kBits;
    }
    result.word[kWords - 1] = static_cast<i64>(sum);
    return result;
  }

  /// The multiple of the modulus that makes a d + b e divisible by 2^62 and keeps the quotient in (-2 m, m), as d and e
  /// are.
  constexpr i64 clearing_multiple(i64 a, i64 b) const {
    const i64 lift = (d_.is_negative() ? a : 0) + (e_.is_negative() ? b : 0);
    const u64 low = static_cast<u64>(a) * low_word(d_) + static_cast<u64>(b) * low_word(e_);
    return lift - static_cast<i64>((static_cast<u64>(lift) - low * Params::kInverse) & kMask);
  }

  /// d / f, as f is 1 or -1, brought from (-2 m, m) into [0, m).
  constexpr Integer result() const {
    Signed x = d_;
    if (x.is_negative()) x = sum(1, 1, x);
    if (f_.is_negative()) x = sum(0, -1, x);
    if (x.is_negative()) x = sum(1, 1, x);
    return join(x);
  }

  /// a modulus + b x, for a and b that are -1, 0 or 1.
  static constexpr Signed sum(i64 a, i64 b, const Signed& x) {
    constexpr Signed modulus = split(Params::kModulus);
    Signed result{};
    i64 carry = 0;
    for (std::size_t i = 0; i + 1 < kWords; ++i) {
      carry += a * modulus.word[i] + b * x.word[i];
      result.word[i] = static_cast<i64>(static_cast<u64>(carry) & kMask);
      carry >>= kBits;
    }
    result.word[kWords - 1] = carry + a * modulus.word[kWords - 1] + b * x.word[kWords - 1];
    return result;
  }

  static constexpr u64 low_word(const Signed& x) { return static_cast<u64>(x.word[0]); }

  static constexpr Signed split(const Integer& x) {
    Signed result{};
    for (std::size_t i = 0; i < kWords; ++i) {
      const std::size_t word = i * kBits / 64, shift = i * kBits % 64;
      u64 bits = word < Params::kLimbs ? x[word] >> shift : 0;
      if (shift > 2 && word + 1 < Params::kLimbs) bits |= x[word + 1] << (64 - shift);
      result.word[i] = static_cast<i64>(bits & kMask);
    }
    return result;
  }
  /// For x in [0, m).
  static constexpr Integer join(const Signed& x) {
    Integer result{};
    for (std::size_t i = 0; i < kWords; ++i) {
      const std::size_t word = i * kBits / 64, shift = i * kBits % 64;
      const u64 bits = static_cast<u64>(x.word[i]);
      if (word < Params::kLimbs) result[word] |= bits << shift;
      if (shift > 2 && word + 1 < Params::kLimbs) result[word + 1] |= bits >> (64 - shift);
    }
    return result;
  }

  Signed f_, g_;  ///< the pair that is reduced, from (m, x) to (+-1, 0)
  Signed d_, e_;  ///< f = d x, g = e x modulo m
  int delta_ = 1;
};

}  // namespace cuzk
