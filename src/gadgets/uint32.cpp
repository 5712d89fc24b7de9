#include "gadgets/uint32.h"

namespace cuzk::gadgets {

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

}  // namespace cuzk::gadgets
