/// Strings of bits, alike for both builders: constants, joining, and the orders of bits.
#pragma once

#include "gadgets/number.h"

namespace cuzk::gadgets {

/// The `count` (at most 64) lowest bits of value in reverse order.
u64 reverse_bits(u64 value, unsigned count);

/// Appends the `count` (at most 64) lowest bits of a constant, lowest first.
void append_constant(std::vector<Signal>& bits, u64 value, unsigned count);
void append_constant(BitString& bits, u64 value, unsigned count);

/// The same with the highest of them first.
void append_constant_reversed(std::vector<Signal>& bits, u64 value, unsigned count);
void append_constant_reversed(BitString& bits, u64 value, unsigned count);

void append(std::vector<Signal>& bits, std::span<const Signal> more);
void append(BitString& bits, const BitString& more);

/// `count` bits from `first` on.
std::vector<Signal> slice(std::span<const Signal> bits, std::size_t first, std::size_t count);
BitString slice(const BitString& bits, std::size_t first, std::size_t count);

/// Last bit first.
std::vector<Signal> reversed(std::span<const Signal> bits);
BitString reversed(const BitString& bits);

/// Between the order of a number's bits (least significant first) and SHA-256's order (bytes in order, most significant
/// bit first): each byte reversed, zeros appended up to a whole byte.
std::vector<Signal> reverse_bit_numbering(std::span<const Signal> bits);
BitString reverse_bit_numbering(const BitString& bits);

}  // namespace cuzk::gadgets
