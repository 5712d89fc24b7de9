/// 32-bit words of bits, for a Recorder and as values: what SHA-256 is made of.
///
/// As in boolean.h one text serves both: Uint32Constraints and Uint32Values have the same members on their own Word.
#pragma once

#include <array>
#include <bit>

#include "gadgets/boolean.h"
#include "gadgets/multi_eq.h"
#include "r1cs/bit_gather.h"

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

/// Bits that the sum of so many words can take.
constexpr unsigned sum_bits(std::size_t words) { return static_cast<unsigned>(std::bit_width(words * ~u32{0})); }

/// Everything is inline: a block of SHA-256 takes a thousand of these steps.
class Uint32Values : public BooleanValues {
 public:
  /// A constant bit has variable and negated 0; a variable's own value is value ^ negated.
  struct Word {
    u32 value, variable, negated;
  };

  explicit Uint32Values(BitVector& bits) : BooleanValues(bits) {}

  static Word constant(u32 value) { return {value, 0, 0}; }
  static Word rotate_right(const Word& word, unsigned by) {
    const int count = static_cast<int>(by);
    return {std::rotr(word.value, count), std::rotr(word.variable, count), std::rotr(word.negated, count)};
  }
  static Word shift_right(const Word& word, unsigned by) {
    return {word.value >> by, word.variable >> by, word.negated >> by};
  }

  Word exclusive_or(const Word& a, const Word& b) {
    const u32 value = a.value ^ b.value, allocated = a.variable & b.variable;
    const u32 negated = (a.negated | (a.value & ~a.variable)) ^ (b.negated | (b.value & ~b.variable));
    append(allocated == kAll ? value ^ negated : r1cs::gather_bits(value ^ negated, allocated),
           static_cast<unsigned>(std::popcount(allocated)));
    const u32 variable = a.variable | b.variable;
    return {value, variable, negated & variable};
  }

  Word ch(const Word& a, const Word& b, const Word& c) {
    if ((a.variable & b.variable & c.variable) != kAll)
      return by_bits(a, b, c, [&](BitValue x, BitValue y, BitValue z) { return sha256_ch(*this, x, y, z); });
    const u32 value = (a.value & b.value) | (~a.value & c.value);
    append(value, 32);
    return {value, kAll, 0};
  }

  Word maj(const Word& a, const Word& b, const Word& c) {
    if ((a.variable & b.variable & c.variable) != kAll)
      return by_bits(a, b, c, [&](BitValue x, BitValue y, BitValue z) { return sha256_maj(*this, x, y, z); });
    const u32 both = b.value & c.value, value = both | (a.value & (b.value | c.value));
    append(spread(value) | (spread(both) << 1), 64);
    return {value, kAll, 0};
  }

  Word add(std::span<const Word> words) {
    u64 sum = 0;
    u32 variable = 0;
    for (const Word& word : words) {
      sum += word.value;
      variable |= word.variable;
    }
    const u32 value = static_cast<u32>(sum);
    if (variable == 0) return constant(value);
    append(sum, sum_bits(words.size()));
    return {value, kAll, 0};
  }

  void finish() {}

 private:
  static constexpr u32 kAll = ~u32{0};

  /// Bit i goes to bit 2 i.
  static u64 spread(u32 value) {
    u64 x = value;
    x = (x | (x << 16)) & 0x0000ffff0000ffff;
    x = (x | (x << 8)) & 0x00ff00ff00ff00ff;
    x = (x | (x << 4)) & 0x0f0f0f0f0f0f0f0f;
    x = (x | (x << 2)) & 0x3333333333333333;
    return (x | (x << 1)) & 0x5555555555555555;
  }

  static BitValue bit_of(const Word& word, unsigned i) {
    return {((word.value >> i) & 1) != 0, ((word.variable >> i) & 1) != 0, ((word.negated >> i) & 1) != 0};
  }

  /// Applies an operation of three bits to each place: the way for words that have constant bits.
  template <class Operation>
  static Word by_bits(const Word& a, const Word& b, const Word& c, Operation&& operation) {
    Word result{0, 0, 0};
    for (unsigned i = 0; i < 32; ++i) {
      const BitValue bit = operation(bit_of(a, i), bit_of(b, i), bit_of(c, i));
      result.value |= u32{bit.value()} << i;
      result.variable |= u32{!bit.is_constant()} << i;
      result.negated |= u32{bit.is_negated()} << i;
    }
    return result;
  }
};

}  // namespace cuzk::gadgets
