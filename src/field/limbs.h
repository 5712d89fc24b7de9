/// Little-endian multi-word integers: the carry chains under the prime fields. One source for host and device.
#pragma once

#include "base/types.h"
#include "field/host_device.h"

namespace cuzk {

/// N words of 64 bits, least significant first.
template <std::size_t N>
struct Limbs {
  u64 word[N];

  CUZK_HD constexpr u64& operator[](std::size_t i) { return word[i]; }
  CUZK_HD constexpr u64 operator[](std::size_t i) const { return word[i]; }
  CUZK_HD friend constexpr bool operator==(const Limbs& x, const Limbs& y) {
    u64 difference = 0;
    for (std::size_t i = 0; i < N; ++i) difference |= x.word[i] ^ y.word[i];
    return difference == 0;
  }
};

/// sum + carry of x + y + carry; carry in and out is 0 or 1.
CUZK_HD constexpr u64 add_carry(u64 x, u64 y, u64& carry) {
  const u128 sum = static_cast<u128>(x) + y + carry;
  carry = static_cast<u64>(sum >> 64);
  return static_cast<u64>(sum);
}

/// difference of x - y - borrow; borrow in and out is 0 or 1.
CUZK_HD constexpr u64 sub_borrow(u64 x, u64 y, u64& borrow) {
  const u128 difference = static_cast<u128>(x) - y - borrow;
  borrow = static_cast<u64>(difference >> 64) & 1;
  return static_cast<u64>(difference);
}

/// low word of accumulator + x * y + carry; carry takes the high word.
CUZK_HD constexpr u64 multiply_add(u64 accumulator, u64 x, u64 y, u64& carry) {
  const u128 sum = static_cast<u128>(x) * y + accumulator + carry;
  carry = static_cast<u64>(sum >> 64);
  return static_cast<u64>(sum);
}

template <std::size_t N>
CUZK_HD constexpr u64 add_in_place(Limbs<N>& x, const Limbs<N>& y) {
  u64 carry = 0;
  for (std::size_t i = 0; i < N; ++i) x[i] = add_carry(x[i], y[i], carry);
  return carry;
}

template <std::size_t N>
CUZK_HD constexpr u64 sub_in_place(Limbs<N>& x, const Limbs<N>& y) {
  u64 borrow = 0;
  for (std::size_t i = 0; i < N; ++i) x[i] = sub_borrow(x[i], y[i], borrow);
  return borrow;
}

template <std::size_t N>
CUZK_HD constexpr bool less(const Limbs<N>& x, const Limbs<N>& y) {
  u64 borrow = 0;
  for (std::size_t i = 0; i < N; ++i) sub_borrow(x[i], y[i], borrow);
  return borrow != 0;
}

template <std::size_t N>
CUZK_HD constexpr bool is_zero(const Limbs<N>& x) {
  u64 any = 0;
  for (std::size_t i = 0; i < N; ++i) any |= x[i];
  return any == 0;
}

template <std::size_t N>
CUZK_HD constexpr bool bit(const Limbs<N>& x, std::size_t i) {
  return i < 64 * N && ((x[i / 64] >> (i % 64)) & 1) != 0;
}

/// x / 2^count for count below 64.
template <std::size_t N>
CUZK_HD constexpr Limbs<N> shift_right(Limbs<N> x, unsigned count) {
  if (count == 0) return x;
  for (std::size_t i = 0; i + 1 < N; ++i) x[i] = x[i] >> count | x[i + 1] << (64 - count);
  x[N - 1] >>= count;
  return x;
}

}  // namespace cuzk
