/// Sums of products in Fr that are reduced once: half the work of separate multiplications.
#pragma once

#include "field/fr.h"

namespace cuzk::r1cs {

/// A sum of field elements times field elements, or times integers of a word. It holds 2^60 of the latter and 2^120 of
/// the former.
class WideSum {
 public:
  /// += x * y.
  void add(const Fr& x, const Fr& y) {
    for (std::size_t i = 0; i < 4; ++i) add_at(i, x.montgomery_form()[i], y.montgomery_form());
  }

  /// += factor * y for the integer `factor`.
  void add(u64 factor, const Fr& y) { add_at(4, factor, y.montgomery_form()); }

  /// += y.
  void add(const Fr& y) { add_at(4, 1, y.montgomery_form()); }

  /// The sum; this is used up.
  Fr reduce() {
    for (std::size_t i = 0; i < 4; ++i) add_at(i, words_[i] * FrParams::kInverse, FrParams::kModulus);
    const Fr low = Fr::from_montgomery_unchecked(reduced({{words_[4], words_[5], words_[6], words_[7]}}));
    if (words_[8] == 0 && words_[9] == 0) return low;
    return low + Fr::from_integer_unchecked({{words_[8], words_[9]}});  // its form is what it is times 2^256
  }

 private:
  /// Adds factor * y * 2^(64 place).
  void add_at(std::size_t place, u64 factor, const Limbs<4>& y) {
    u64 carry = 0;
    for (std::size_t j = 0; j < 4; ++j) words_[place + j] = multiply_add(words_[place + j], factor, y[j], carry);
    for (std::size_t j = place + 4; carry != 0 && j < 10; ++j) {
      u64 over = 0;
      words_[j] = add_carry(words_[j], carry, over);
      carry = over;
    }
  }

  /// Below 2^256, which is less than three times the modulus.
  static Limbs<4> reduced(Limbs<4> value) {
    for (Limbs<4> next = value; sub_in_place(next, FrParams::kModulus) == 0;) value = next;
    return value;
  }

  u64 words_[10] = {};  // in units of 2^-256: products lie at word 0, Montgomery forms at word 4
};

}  // namespace cuzk::r1cs
