/// Products with constant factors (constant_factor.h) on a device.
#pragma once

#include "cuda/constant_factor.h"
#include "field/montgomery_device.h"

namespace cuzk::cuda {
namespace words {

using device::Words;

/// The upper N words of x y, or one less than they: products of words whose places sum up to less than N - 2 are left
/// out, which together are below 2^(32 (N - 1)) N.
template <std::size_t N>
__device__ Words<N> high_product(const Words<N>& x, const Words<N>& y) {
  constexpr std::size_t kFirst = N - 2;
  Words<2 * N> even{}, odd{};
#pragma unroll
  for (std::size_t j = 0; j < N; ++j) {
    const std::size_t first = j < kFirst ? kFirst - j : 0, other = first + 1;
    const std::size_t even_first = (first + j) % 2 == 0 ? first : other;
    const std::size_t odd_first = (first + j) % 2 == 0 ? other : first;
    if (even_first < N) device::accumulate_part(even, even_first + j, x, even_first, (N - even_first + 1) / 2, y[j]);
    if (odd_first < N) device::accumulate_part(odd, odd_first + j - 1, x, odd_first, (N - odd_first + 1) / 2, y[j]);
  }
  Words<N> high;
  u32 ignored;
  device::add_cc(ignored, even[kFirst], odd[kFirst - 1]);
  device::addc_cc(ignored, even[kFirst + 1], odd[kFirst]);
#pragma unroll
  for (std::size_t i = 0; i + 1 < N; ++i) device::addc_cc(high[i], even[N + i], odd[N + i - 1]);
  device::addc(high[N - 1], even[2 * N - 1], odd[2 * N - 2]);
  return high;
}

/// The lower N words of x y; the words of y before kFirstRow count as 0.
template <std::size_t kFirstRow, std::size_t N>
__device__ Words<N> low_product(const Words<N>& x, const Words<N>& y) {
  Words<N> even{}, odd{};
#pragma unroll
  for (std::size_t j = kFirstRow; j < N; ++j) {
    const std::size_t even_first = j % 2, odd_first = 1 - even_first, room = N - j;
    if (even_first < room)
      device::accumulate_part(even, even_first + j, x, even_first, (room - even_first + 1) / 2, y[j]);
    if (odd_first + 2 < room)
      device::accumulate_part(odd, odd_first + j - 1, x, odd_first, (room - odd_first - 1) / 2, y[j]);
  }
#pragma unroll
  for (std::size_t j = kFirstRow; j < N; ++j) odd[N - 2] += x[N - 1 - j] * y[j];
  device::add_cc(even[1], even[1], odd[0]);
#pragma unroll
  for (std::size_t i = 2; i + 1 < N; ++i) device::addc_cc(even[i], even[i], odd[i - 1]);
  device::addc(even[N - 1], even[N - 1], odd[N - 2]);
  return even;
}

/// x +- y 2^(32 shift) mod 2^(32 N).
template <std::size_t kShift, std::size_t N>
__device__ void add_shifted(Words<N>& x, const Words<N>& y) {
  device::add_cc(x[kShift], x[kShift], y[0]);
#pragma unroll
  for (std::size_t i = kShift + 1; i + 1 < N; ++i) device::addc_cc(x[i], x[i], y[i - kShift]);
  device::addc(x[N - 1], x[N - 1], y[N - 1 - kShift]);
}
template <std::size_t kShift, std::size_t N>
__device__ void subtract_shifted(Words<N>& x, const Words<N>& y) {
  device::sub_cc(x[kShift], x[kShift], y[0]);
#pragma unroll
  for (std::size_t i = kShift + 1; i + 1 < N; ++i) device::subc_cc(x[i], x[i], y[i - kShift]);
  device::subc(x[N - 1], x[N - 1], y[N - 1 - kShift]);
}

/// quotient * m mod 2^256, taken from x: the lowest words of m are 1 and 2^32 - 1.
__device__ inline void subtract_multiple_of_modulus(Words<8>& x, const Words<8>& quotient) {
  static_assert(device::kLowWordsAreSparse<FrParams>);
  subtract_shifted<0>(x, low_product<2>(quotient, device::modulus_words<FrParams>()));
  subtract_shifted<0>(x, quotient);
  add_shifted<1>(x, quotient);
  subtract_shifted<2>(x, quotient);
}

}  // namespace words

/// x times the factor. The quotient of the product by m may be found one too small and no more, for x is below half of
/// 2^256: so the remainder is below 2 m.
__device__ inline Fr multiply(const Fr& x, const ConstantFactor& factor) {
  using namespace words;
  const Words<8> value = device::to_words(x.montgomery_form());
  const Words<8> quotient = high_product(value, device::to_words(factor.quotient));
  Words<8> remainder = low_product<0>(value, device::to_words(factor.value));
  subtract_multiple_of_modulus(remainder, quotient);
  return Fr::from_montgomery_unchecked(device::to_limbs(device::reduce_once<FrParams>(remainder)));
}

}  // namespace cuzk::cuda
