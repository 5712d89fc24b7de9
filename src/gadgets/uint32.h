/// 32-bit words of bits, for a Recorder and as values: what SHA-256 is made of.
///
/// As in boolean.h one text serves both: Uint32Constraints and Uint32Values have the same members on their own Word.
#pragma once

#include <array>

#include "gadgets/boolean.h"
#include "gadgets/multi_eq.h"

namespace cuzk::gadgets {

class Uint32Constraints : public BooleanConstraints {
 public:
  using Word = std::array<Signal, 32>;  ///< least significant bit first

  explicit Uint32Constraints(Recorder& recorder) : BooleanConstraints(recorder), equalities_(recorder) {}

  static Word constant(u32 value);
  static Word rotate_right(const Word& word, unsigned by);
  static Word shift_right(const Word& word, unsigned by);

  Word exclusive_or(const Word& a, const Word& b);
  Word ch(const Word& a, const Word& b, const Word& c);
  Word maj(const Word& a, const Word& b, const Word& c);

  /// The sum of 2 to 10 words modulo 2^32: bits for the whole sum are allocated, the carries then dropped.
  Word add(std::span<const Word> words);

  /// Enforces the additions that wait in the last MultiEq.
  void finish() { equalities_.finish(); }

 private:
  MultiEq equalities_;
};

class Uint32Values : public BooleanValues {
 public:
  /// A constant bit has variable and negated 0; a variable's own value is value ^ negated.
  struct Word {
    u32 value, variable, negated;
  };

  explicit Uint32Values(BitVector& bits) : BooleanValues(bits) {}

  static Word constant(u32 value) { return {value, 0, 0}; }
  static Word rotate_right(const Word& word, unsigned by);
  static Word shift_right(const Word& word, unsigned by) {
    return {word.value >> by, word.variable >> by, word.negated >> by};
  }

  Word exclusive_or(const Word& a, const Word& b);
  Word ch(const Word& a, const Word& b, const Word& c);
  Word maj(const Word& a, const Word& b, const Word& c);
  Word add(std::span<const Word> words);
  void finish() {}
};

/// Bits that the sum of so many words can take.
unsigned sum_bits(std::size_t words);

}  // namespace cuzk::gadgets
