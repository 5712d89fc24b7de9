/// Sums of products in Fr with one reduction for the whole sum: half the work of separate multiplications.
#pragma once

#include "field/fr.h"

namespace cuzk {

namespace detail {

/// sum += x * y; the sum has two words more than y, so that it does not overflow in some thousand terms.
inline void add_product(u64 (&sum)[6], u64 x, const Limbs<4>& y) {
  u64 carry = 0;
  for (std::size_t j = 0; j < 4; ++j) sum[j] = multiply_add(sum[j], x, y[j], carry);
  u64 over = 0;
  sum[4] = add_carry(sum[4], carry, over);
  sum[5] += over;
}

/// (sum + factor * modulus) / 2^64 with the factor that makes it whole.
inline void reduce_word(u64 (&sum)[6]) {
  add_product(sum, sum[0] * FrParams::kInverse, FrParams::kModulus);
  for (std::size_t j = 0; j < 5; ++j) sum[j] = sum[j + 1];
  sum[5] = 0;
}

/// The value of five words below 42 times the modulus, modulo it. The quotient comes from the bits above 2^254 (the
/// modulus is 1.81 * 2^254; 141 / 256 is just below its inverse) and is at most one too small.
inline Fr reduce_below_42(const u64 (&sum)[6]) {
  const u64 high = sum[4] << 2 | sum[3] >> 62;
  const u64 quotient = high * 141 / 256;
  Limbs<4> value{{sum[0], sum[1], sum[2], sum[3]}}, multiple{};
  u64 carry = 0;
  for (std::size_t j = 0; j < 4; ++j) multiple[j] = multiply_add(0, quotient, FrParams::kModulus[j], carry);
  sub_in_place(value, multiple);  // what is above 2^256 cancels
  Limbs<4> reduced = value;
  if (sub_in_place(reduced, FrParams::kModulus) == 0) value = reduced;
  return Fr::from_montgomery_unchecked(value);
}

}  // namespace detail

/// Sum over i < count of x[i] * y[i * stride]; count at most 40.
inline Fr dot_product(const Fr* x, const Fr* y, std::size_t count, std::size_t stride = 1) {
  u64 sum[6] = {};
  for (std::size_t word = 0; word < 4; ++word) {
    for (std::size_t i = 0; i < count; ++i)
      detail::add_product(sum, x[i].montgomery_form()[word], y[i * stride].montgomery_form());
    detail::reduce_word(sum);
  }
  return detail::reduce_below_42(sum);
}

}  // namespace cuzk
