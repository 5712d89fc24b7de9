#include "gadgets/uint32.h"

#include <bit>

#include "r1cs/bit_gather.h"

namespace cuzk::gadgets {

namespace {

constexpr u32 kAll = ~u32{0};

/// Bit i goes to bit 2 i.
u64 spread(u32 value) {
  u64 x = value;
  x = (x | (x << 16)) & 0x0000ffff0000ffff;
  x = (x | (x << 8)) & 0x00ff00ff00ff00ff;
  x = (x | (x << 4)) & 0x0f0f0f0f0f0f0f0f;
  x = (x | (x << 2)) & 0x3333333333333333;
  return (x | (x << 1)) & 0x5555555555555555;
}

BitValue bit_of(const Uint32Values::Word& word, unsigned i) {
  return {((word.value >> i) & 1) != 0, ((word.variable >> i) & 1) != 0, ((word.negated >> i) & 1) != 0};
}

/// Applies an operation of three bits to each place: the way for words that have constant bits.
template <class Operation>
Uint32Values::Word by_bits(const Uint32Values::Word& a, const Uint32Values::Word& b, const Uint32Values::Word& c,
                           Operation&& operation) {
  Uint32Values::Word result{0, 0, 0};
  for (unsigned i = 0; i < 32; ++i) {
    const BitValue bit = operation(bit_of(a, i), bit_of(b, i), bit_of(c, i));
    result.value |= u32{bit.value()} << i;
    result.variable |= u32{!bit.is_constant()} << i;
    result.negated |= u32{bit.is_negated()} << i;
  }
  return result;
}

}  // namespace

unsigned sum_bits(std::size_t words) { return static_cast<unsigned>(std::bit_width(words * kAll)); }

Uint32Constraints::Word Uint32Constraints::constant(u32 value) {
  return [&]<std::size_t... i>(std::index_sequence<i...>) { return Word{Signal::constant(((value >> i) & 1) != 0)...}; }
  (std::make_index_sequence<32>());
}

Uint32Constraints::Word Uint32Constraints::rotate_right(const Word& word, unsigned by) {
  Word result = word;
  for (unsigned i = 0; i < 32; ++i) result[i] = word[(i + by) % 32];
  return result;
}

Uint32Constraints::Word Uint32Constraints::shift_right(const Word& word, unsigned by) {
  Word result = constant(0);
  for (unsigned i = 0; i + by < 32; ++i) result[i] = word[i + by];
  return result;
}

Uint32Constraints::Word Uint32Constraints::exclusive_or(const Word& a, const Word& b) {
  Word result = a;
  for (unsigned i = 0; i < 32; ++i) result[i] = gadgets::exclusive_or(*this, a[i], b[i]);
  return result;
}

Uint32Constraints::Word Uint32Constraints::ch(const Word& a, const Word& b, const Word& c) {
  Word result = a;
  for (unsigned i = 0; i < 32; ++i) result[i] = sha256_ch(*this, a[i], b[i], c[i]);
  return result;
}

Uint32Constraints::Word Uint32Constraints::maj(const Word& a, const Word& b, const Word& c) {
  Word result = a;
  for (unsigned i = 0; i < 32; ++i) result[i] = sha256_maj(*this, a[i], b[i], c[i]);
  return result;
}

Uint32Constraints::Word Uint32Constraints::add(std::span<const Word> words) {
  LinearCombination operands, result;
  u32 constant_sum = 0;
  bool all_constant = true;
  for (const Word& word : words) {
    for (unsigned i = 0; i < 32; ++i) {
      operands.add(word[i], Fr::from_u64(u64{1} << i));
      all_constant = all_constant && word[i].is_constant();
      if (word[i].is_one()) constant_sum += u32{1} << i;
    }
  }
  if (all_constant) return constant(constant_sum);

  const unsigned bits = sum_bits(words.size());
  Word sum = words[0];
  for (unsigned i = 0; i < bits; ++i) {
    const Signal bit = alloc_bit();
    result.add(bit, Fr::from_u64(u64{1} << i));
    if (i < 32) sum[i] = bit;
  }
  equalities_.enforce_equal(bits, operands, result);
  return sum;
}

Uint32Values::Word Uint32Values::rotate_right(const Word& word, unsigned by) {
  const int count = static_cast<int>(by);
  return {std::rotr(word.value, count), std::rotr(word.variable, count), std::rotr(word.negated, count)};
}

Uint32Values::Word Uint32Values::exclusive_or(const Word& a, const Word& b) {
  const u32 value = a.value ^ b.value, allocated = a.variable & b.variable;
  const u32 negated = (a.negated | (a.value & ~a.variable)) ^ (b.negated | (b.value & ~b.variable));
  append(r1cs::gather_bits(value ^ negated, allocated), static_cast<unsigned>(std::popcount(allocated)));
  const u32 variable = a.variable | b.variable;
  return {value, variable, negated & variable};
}

Uint32Values::Word Uint32Values::ch(const Word& a, const Word& b, const Word& c) {
  if ((a.variable & b.variable & c.variable) != kAll) {
    return by_bits(a, b, c, [&](BitValue x, BitValue y, BitValue z) { return sha256_ch(*this, x, y, z); });
  }
  const u32 value = (a.value & b.value) | (~a.value & c.value);
  append(value, 32);
  return {value, kAll, 0};
}

Uint32Values::Word Uint32Values::maj(const Word& a, const Word& b, const Word& c) {
  if ((a.variable & b.variable & c.variable) != kAll) {
    return by_bits(a, b, c, [&](BitValue x, BitValue y, BitValue z) { return sha256_maj(*this, x, y, z); });
  }
  const u32 both = b.value & c.value, value = both | (a.value & (b.value | c.value));
  append(spread(value) | (spread(both) << 1), 64);
  return {value, kAll, 0};
}

Uint32Values::Word Uint32Values::add(std::span<const Word> words) {
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

}  // namespace cuzk::gadgets
