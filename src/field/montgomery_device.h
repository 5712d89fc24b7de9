/// Field operations for CUDA devices, in 32-bit words; equal to portable:: to the bit. For nvcc only.
///
/// A device has no 64-bit multiplier: a product of two words is `mad.lo` and `mad.hi`, which the assembler joins into
/// one wide multiply-add when both belong to one aligned pair of the accumulator. So the sum is kept as two
/// accumulators: `even` takes the products of even words (pairs at words 0, 2, ...), `odd` those of odd words (pairs at
/// 1, 3, ...). After each step of reduction the lowest word is zero and the sum moves down by one word, by which the
/// two change roles.
/// Source: Koc, Acar, Kaliski, "Analyzing and Comparing Montgomery Multiplication Algorithms" (operand scanning);
/// Emmart, Zheng, Weems, "Faster Modular Exponentiation Using Double Precision Floating Point Arithmetic on the GPU"
/// (ARITH 2018; the split by parity).
#pragma once

#include "field/device_words.h"

#ifdef __CUDA_ARCH__  // not while nvcc compiles for the host
#define CUZK_NATIVE_FIELD device
#endif

namespace cuzk::device {

/// The modulus in words; the assembler folds them into its instructions.
template <class Params>
__device__ Words<2 * Params::kLimbs> modulus_words() {
  constexpr auto modulus = Params::kModulus;  // a local copy: device code cannot refer to the host's static member
  return to_words(modulus);
}

/// sum = products of the words Start, Start + 2, ... of x with y, side by side.
template <std::size_t Start, std::size_t N>
__device__ void multiply_words(Words<N>& sum, const Words<N>& x, u32 y) {
#pragma unroll
  for (std::size_t j = 0; j < N; j += 2) {
    const u64 product = static_cast<u64>(x[j + Start]) * y;
    sum[j] = static_cast<u32>(product);
    sum[j + 1] = static_cast<u32>(product >> 32);
  }
}

/// sum += products of the words Start, Start + 2, ... of x with y; leaves the carry in the flag.
template <std::size_t Start, std::size_t N>
__device__ void accumulate_words(Words<N>& sum, const Words<N>& x, u32 y) {
  mad_lo_cc(sum[0], x[Start], y, sum[0]);
  madc_hi_cc(sum[1], x[Start], y, sum[1]);
#pragma unroll
  for (std::size_t j = 2; j < N; j += 2) {
    madc_lo_cc(sum[j], x[j + Start], y, sum[j]);
    madc_hi_cc(sum[j + 1], x[j + Start], y, sum[j + 1]);
  }
}

/// sum = (sum moved down by two words) + products of the odd words of x with y + the carry in the flag.
template <std::size_t N>
__device__ void accumulate_shifted(Words<N>& sum, const Words<N>& x, u32 y) {
#pragma unroll
  for (std::size_t j = 0; j + 2 < N; j += 2) {
    madc_lo_cc(sum[j], x[j + 1], y, sum[j + 2]);
    madc_hi_cc(sum[j + 1], x[j + 1], y, sum[j + 3]);
  }
  madc_lo_cc(sum[N - 2], x[N - 1], y, 0);
  madc_hi(sum[N - 1], x[N - 1], y, 0);
}

/// Adds the multiple of the modulus that makes the lowest word zero.
template <class Params, std::size_t N>
__device__ void reduce_lowest_word(Words<N>& even, Words<N>& odd) {
  const Words<N> modulus = modulus_words<Params>();
  const u32 factor = even[0] * static_cast<u32>(Params::kInverse);
  accumulate_words<1>(odd, modulus, factor);
  accumulate_words<0>(even, modulus, factor);
  addc(odd[N - 1], odd[N - 1], 0);
}

/// A modulus whose lowest 64 bits are 2^64 - 2^32 + 1, as that of Fr: its products there need no multiplication.
template <class Params>
inline constexpr bool kLowWordsAreSparse = Params::kModulus[0] == 0xffffffff00000001;

/// reduce_lowest_word for such a modulus. With e = even[0] the factor is f = -e, and f (2^64 - 2^32 + 1) + e is zero in
/// word 0 and f 2^32 - f + [e != 0] in words 1 and 2, where the low word of -f is e again.
template <class Params, std::size_t N>
__device__ void reduce_lowest_word_sparse(Words<N>& even, Words<N>& odd) {
  const Words<N> modulus = modulus_words<Params>();
  const u32 low = even[0];
  u32 factor, high, ignored;
  sub_cc(factor, 0, low);
  subc(high, factor, 0);
  add_cc(ignored, low, 0xffffffffu);  // the carry is [low != 0]
  addc_cc(odd[0], odd[0], low);
  addc_cc(odd[1], odd[1], high);
#pragma unroll
  for (std::size_t j = 2; j < N; j += 2) {
    madc_lo_cc(odd[j], modulus[j + 1], factor, odd[j]);
    madc_hi_cc(odd[j + 1], modulus[j + 1], factor, odd[j + 1]);
  }
  mad_lo_cc(even[2], modulus[2], factor, even[2]);
  madc_hi_cc(even[3], modulus[2], factor, even[3]);
#pragma unroll
  for (std::size_t j = 4; j < N; j += 2) {
    madc_lo_cc(even[j], modulus[j], factor, even[j]);
    madc_hi_cc(even[j + 1], modulus[j], factor, even[j + 1]);
  }
  addc(odd[N - 1], odd[N - 1], 0);
}

template <class Params, std::size_t N>
__device__ void reduce_step(Words<N>& even, Words<N>& odd) {
  if constexpr (kLowWordsAreSparse<Params>)
    reduce_lowest_word_sparse<Params>(even, odd);
  else
    reduce_lowest_word<Params>(even, odd);
}

/// One word of y: moves the sum down by one word, adds x * y and reduces. `even` is what was odd before.
template <class Params, std::size_t N>
__device__ void multiply_step(Words<N>& even, Words<N>& odd, const Words<N>& x, u32 y) {
  add_cc(even[0], even[0], odd[1]);
  accumulate_shifted(odd, x, y);
  accumulate_words<0>(even, x, y);
  addc(odd[N - 1], odd[N - 1], 0);
  reduce_step<Params>(even, odd);
}

/// x - m if that is not negative.
template <class Params, std::size_t N>
__device__ Words<N> reduce_once(const Words<N>& x) {
  Words<N> reduced;
  const u32 borrow = subtract_words(reduced, x, modulus_words<Params>());
#pragma unroll
  for (std::size_t i = 0; i < N; ++i) reduced[i] = borrow != 0 ? x[i] : reduced[i];
  return reduced;
}

template <class Params, std::size_t L>
__device__ Limbs<L> add(const Limbs<L>& x, const Limbs<L>& y) {
  return to_limbs(reduce_once<Params>(add_words(to_words(x), to_words(y))));
}

template <class Params, std::size_t L>
__device__ Limbs<L> subtract(const Limbs<L>& x, const Limbs<L>& y) {
  Words<2 * L> difference, correction = modulus_words<Params>();
  const u32 borrow = subtract_words(difference, to_words(x), to_words(y));
#pragma unroll
  for (std::size_t i = 0; i < 2 * L; ++i) correction[i] &= borrow;
  return to_limbs(add_words(difference, correction));
}

/// The accumulators after the last step, where the lowest word of the sum is zero: moved down by one word and joined.
template <class Params, std::size_t N>
__device__ Words<N> join(Words<N> low, const Words<N>& high) {
  add_cc(low[0], low[0], high[1]);
#pragma unroll
  for (std::size_t j = 1; j + 1 < N; ++j) addc_cc(low[j], low[j], high[j + 1]);
  addc(low[N - 1], low[N - 1], 0);
  return reduce_once<Params>(low);
}

/// x y / 2^(64 L) mod m.
template <class Params, std::size_t L>
__device__ Limbs<L> multiply(const Limbs<L>& left, const Limbs<L>& right) {
  constexpr std::size_t N = 2 * L;
  const Words<N> x = to_words(left), y = to_words(right);
  Words<N> even, odd;
  multiply_words<0>(even, x, y[0]);
  multiply_words<1>(odd, x, y[0]);
  reduce_step<Params>(even, odd);
#pragma unroll
  for (std::size_t i = 1; i < N; i += 2) {
    multiply_step<Params>(odd, even, x, y[i]);
    if (i + 1 < N) multiply_step<Params>(even, odd, x, y[i + 1]);
  }
  return to_limbs(join<Params>(even, odd));
}

/// sum[at ..] += products of `count` words of x, first, first + 2, ..., with y; the carry goes to the next word.
template <std::size_t N, std::size_t M>
__device__ void accumulate_part(Words<N>& sum, std::size_t at, const Words<M>& x, std::size_t first, std::size_t count,
                                u32 y) {
  mad_lo_cc(sum[at], x[first], y, sum[at]);
  madc_hi_cc(sum[at + 1], x[first], y, sum[at + 1]);
#pragma unroll
  for (std::size_t k = 1; k < count; ++k) {
    madc_lo_cc(sum[at + 2 * k], x[first + 2 * k], y, sum[at + 2 * k]);
    madc_hi_cc(sum[at + 2 * k + 1], x[first + 2 * k], y, sum[at + 2 * k + 1]);
  }
  if (at + 2 * count < N) addc(sum[at + 2 * count], sum[at + 2 * count], 0);
}

/// The sum of the products of two different words: those of even places, and those of odd ones from word 1 on.
template <std::size_t N>
__device__ Words<2 * N> cross_products(const Words<N>& x) {
  Words<2 * N> even{}, odd{};
#pragma unroll
  for (std::size_t j = 0; j + 1 < N; ++j) {
    accumulate_part(odd, 2 * j, x, j + 1, (N - j) / 2, x[j]);
    if (j + 2 < N) accumulate_part(even, 2 * j + 2, x, j + 2, (N - j - 1) / 2, x[j]);
  }
  add_cc(even[1], even[1], odd[0]);
#pragma unroll
  for (std::size_t i = 2; i + 1 < 2 * N; ++i) addc_cc(even[i], even[i], odd[i - 1]);
  addc(even[2 * N - 1], even[2 * N - 1], odd[2 * N - 2]);
  return even;
}

/// x^2 as an integer: each product of two different words is made once.
template <std::size_t N>
__device__ Words<2 * N> square_words(const Words<N>& x) {
  Words<2 * N> square = cross_products(x);
  add_cc(square[0], square[0], square[0]);
#pragma unroll
  for (std::size_t i = 1; i + 1 < 2 * N; ++i) addc_cc(square[i], square[i], square[i]);
  addc(square[2 * N - 1], square[2 * N - 1], square[2 * N - 1]);
  mad_lo_cc(square[0], x[0], x[0], square[0]);
  madc_hi_cc(square[1], x[0], x[0], square[1]);
#pragma unroll
  for (std::size_t i = 1; i + 1 < N; ++i) {
    madc_lo_cc(square[2 * i], x[i], x[i], square[2 * i]);
    madc_hi_cc(square[2 * i + 1], x[i], x[i], square[2 * i + 1]);
  }
  madc_lo_cc(square[2 * N - 2], x[N - 1], x[N - 1], square[2 * N - 2]);
  madc_hi(square[2 * N - 1], x[N - 1], x[N - 1], square[2 * N - 1]);
  return square;
}

/// Moves the sum down by one word and reduces. `even` is what was odd before.
template <class Params, std::size_t N>
__device__ void shift_and_reduce(Words<N>& even, Words<N>& odd) {
  const Words<N> modulus = modulus_words<Params>();
  const u32 factor = (even[0] + odd[1]) * static_cast<u32>(Params::kInverse);
  add_cc(even[0], even[0], odd[1]);
  accumulate_shifted(odd, modulus, factor);
  accumulate_words<0>(even, modulus, factor);
  addc(odd[N - 1], odd[N - 1], 0);
}

/// product / 2^(32 N) mod m, for a product below m^2.
template <class Params, std::size_t N>
__device__ Words<N> reduce_product(const Words<2 * N>& product) {
  Words<N> even, odd{}, upper;
#pragma unroll
  for (std::size_t i = 0; i < N; ++i) {
    even[i] = product[i];
    upper[i] = product[N + i];
  }
  reduce_lowest_word<Params>(even, odd);
#pragma unroll
  for (std::size_t i = 1; i < N; i += 2) {
    shift_and_reduce<Params>(odd, even);
    if (i + 1 < N) shift_and_reduce<Params>(even, odd);
  }
  return reduce_once<Params>(add_words(join<Params>(even, odd), upper));
}

/// x^2 / 2^384 mod m: equal to multiply(x, x) with 78 products of words where that has 144. Fp only: for Fr, whose
/// reduction leaves products out, it would gain less.
template <class Params>
__device__ Limbs<6> square(const Limbs<6>& x) {
  return to_limbs(reduce_product<Params, 12>(square_words(to_words(x))));
}

/// Adds the products of all words of x with y.
template <std::size_t N>
__device__ void accumulate_row(Words<N>& even, Words<N>& odd, const Words<N>& x, u32 y) {
  accumulate_words<1>(odd, x, y);
  accumulate_words<0>(even, x, y);
  addc(odd[N - 1], odd[N - 1], 0);
}

/// One word of y0 and y1: moves the sum down by one word, adds x0 * y0 + x1 * y1 and reduces.
template <class Params, std::size_t N>
__device__ void multiply_pair_step(Words<N>& even, Words<N>& odd, const Words<N>& x0, u32 y0, const Words<N>& x1,
                                   u32 y1) {
  add_cc(even[0], even[0], odd[1]);
  accumulate_shifted(odd, x0, y0);
  accumulate_words<0>(even, x0, y0);
  addc(odd[N - 1], odd[N - 1], 0);
  accumulate_row(even, odd, x1, y1);
  reduce_step<Params>(even, odd);
}

/// x0 y0 + x1 y1 with one reduction. Fp only: the sum stays below 2 m since m is below 2^381.
template <class Params>
__device__ Limbs<6> sum_of_products(const Limbs<6>& left0, const Limbs<6>& right0, const Limbs<6>& left1,
                                    const Limbs<6>& right1) {
  constexpr std::size_t N = 12;
  const Words<N> x0 = to_words(left0), y0 = to_words(right0), x1 = to_words(left1), y1 = to_words(right1);
  Words<N> even, odd;
  multiply_words<0>(even, x0, y0[0]);
  multiply_words<1>(odd, x0, y0[0]);
  accumulate_row(even, odd, x1, y1[0]);
  reduce_step<Params>(even, odd);
#pragma unroll
  for (std::size_t i = 1; i < N; i += 2) {
    multiply_pair_step<Params>(odd, even, x0, y0[i], x1, y1[i]);
    if (i + 1 < N) multiply_pair_step<Params>(even, odd, x0, y0[i + 1], x1, y1[i + 1]);
  }
  return to_limbs(join<Params>(even, odd));
}

}  // namespace cuzk::device
