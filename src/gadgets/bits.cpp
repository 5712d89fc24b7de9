#include "gadgets/bits.h"

#include <algorithm>

namespace cuzk::gadgets {

namespace {

u64 reverse_in_bytes(u64 x) {
  x = ((x >> 1) & 0x5555555555555555) | ((x & 0x5555555555555555) << 1);
  x = ((x >> 2) & 0x3333333333333333) | ((x & 0x3333333333333333) << 2);
  return ((x >> 4) & 0x0f0f0f0f0f0f0f0f) | ((x & 0x0f0f0f0f0f0f0f0f) << 4);
}

}  // namespace

u64 reverse_bits(u64 value, unsigned count) {
  return count == 0 ? 0 : __builtin_bswap64(reverse_in_bytes(value)) >> (64 - count);
}

void append_constant(std::vector<Signal>& bits, u64 value, unsigned count) {
  for (unsigned i = 0; i < count; ++i) bits.push_back(Signal::constant(((value >> i) & 1) != 0));
}

void append_constant(BitString& bits, u64 value, unsigned count) { bits.append({value, 0}, count); }

void append_constant_reversed(std::vector<Signal>& bits, u64 value, unsigned count) {
  append_constant(bits, reverse_bits(value, count), count);
}

void append_constant_reversed(BitString& bits, u64 value, unsigned count) {
  append_constant(bits, reverse_bits(value, count), count);
}

void append(std::vector<Signal>& bits, std::span<const Signal> more) {
  bits.insert(bits.end(), more.begin(), more.end());
}

void append(BitString& bits, const BitString& more) { bits.append(more); }

std::vector<Signal> slice(std::span<const Signal> bits, std::size_t first, std::size_t count) {
  const auto part = bits.subspan(first, count);
  return {part.begin(), part.end()};
}

BitString slice(const BitString& bits, std::size_t first, std::size_t count) {
  BitString part;
  part.append(bits, first, count);
  return part;
}

std::vector<Signal> reversed(std::span<const Signal> bits) { return {bits.rbegin(), bits.rend()}; }

BitString reversed(const BitString& bits) {
  BitString result;
  for (std::size_t end = bits.size(); end > 0;) {
    const unsigned count = static_cast<unsigned>(std::min<std::size_t>(64, end));
    const BitString::Chunk chunk = bits.chunk(end - count, count);
    result.append({reverse_bits(chunk.values, count), reverse_bits(chunk.variables, count)}, count);
    end -= count;
  }
  return result;
}

std::vector<Signal> reverse_bit_numbering(std::span<const Signal> bits) {
  std::vector<Signal> result(bits.begin(), bits.end());
  append_constant(result, 0, static_cast<unsigned>(-bits.size() % 8));
  for (auto byte = result.begin(); byte != result.end(); byte += 8) std::reverse(byte, byte + 8);
  return result;
}

BitString reverse_bit_numbering(const BitString& bits) {
  BitString padded = bits, result;
  append_constant(padded, 0, static_cast<unsigned>(-bits.size() % 8));
  for (std::size_t i = 0; i < padded.size(); i += 64) {
    const unsigned count = static_cast<unsigned>(std::min<std::size_t>(64, padded.size() - i));
    const BitString::Chunk chunk = padded.chunk(i, count);
    result.append({reverse_in_bytes(chunk.values), reverse_in_bytes(chunk.variables)}, count);
  }
  return result;
}

}  // namespace cuzk::gadgets
