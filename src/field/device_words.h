/// 32-bit words with carry chains on CUDA devices: one PTX instruction a function. For nvcc only.
///
/// They are volatile so that the carry flag passes from one to the next in the order in which they are written.
#pragma once

#include "field/limbs.h"

namespace cuzk::device {

/// N words of 32 bits, least significant first; N is even.
template <std::size_t N>
struct Words {
  u32 word[N];

  __device__ u32& operator[](std::size_t i) { return word[i]; }
  __device__ u32 operator[](std::size_t i) const { return word[i]; }
};

__device__ inline void add_cc(u32& sum, u32 x, u32 y) {
  asm volatile("add.cc.u32 %0, %1, %2;" : "=r"(sum) : "r"(x), "r"(y));
}
__device__ inline void addc_cc(u32& sum, u32 x, u32 y) {
  asm volatile("addc.cc.u32 %0, %1, %2;" : "=r"(sum) : "r"(x), "r"(y));
}
__device__ inline void addc(u32& sum, u32 x, u32 y) {
  asm volatile("addc.u32 %0, %1, %2;" : "=r"(sum) : "r"(x), "r"(y));
}
__device__ inline void sub_cc(u32& difference, u32 x, u32 y) {
  asm volatile("sub.cc.u32 %0, %1, %2;" : "=r"(difference) : "r"(x), "r"(y));
}
__device__ inline void subc_cc(u32& difference, u32 x, u32 y) {
  asm volatile("subc.cc.u32 %0, %1, %2;" : "=r"(difference) : "r"(x), "r"(y));
}
__device__ inline void subc(u32& difference, u32 x, u32 y) {
  asm volatile("subc.u32 %0, %1, %2;" : "=r"(difference) : "r"(x), "r"(y));
}
__device__ inline void mad_lo_cc(u32& sum, u32 x, u32 y, u32 addend) {
  asm volatile("mad.lo.cc.u32 %0, %1, %2, %3;" : "=r"(sum) : "r"(x), "r"(y), "r"(addend));
}
__device__ inline void madc_lo_cc(u32& sum, u32 x, u32 y, u32 addend) {
  asm volatile("madc.lo.cc.u32 %0, %1, %2, %3;" : "=r"(sum) : "r"(x), "r"(y), "r"(addend));
}
__device__ inline void madc_hi_cc(u32& sum, u32 x, u32 y, u32 addend) {
  asm volatile("madc.hi.cc.u32 %0, %1, %2, %3;" : "=r"(sum) : "r"(x), "r"(y), "r"(addend));
}
__device__ inline void madc_hi(u32& sum, u32 x, u32 y, u32 addend) {
  asm volatile("madc.hi.u32 %0, %1, %2, %3;" : "=r"(sum) : "r"(x), "r"(y), "r"(addend));
}

template <std::size_t N>
__device__ Words<2 * N> to_words(const Limbs<N>& x) {
  Words<2 * N> words;
#pragma unroll
  for (std::size_t i = 0; i < N; ++i) {
    words[2 * i] = static_cast<u32>(x[i]);
    words[2 * i + 1] = static_cast<u32>(x[i] >> 32);
  }
  return words;
}

template <std::size_t N>
__device__ Limbs<N / 2> to_limbs(const Words<N>& words) {
  Limbs<N / 2> x;
#pragma unroll
  for (std::size_t i = 0; i < N / 2; ++i) x[i] = static_cast<u64>(words[2 * i + 1]) << 32 | words[2 * i];
  return x;
}

/// sum = x + y; the carry out is lost.
template <std::size_t N>
__device__ Words<N> add_words(const Words<N>& x, const Words<N>& y) {
  Words<N> sum;
  add_cc(sum[0], x[0], y[0]);
#pragma unroll
  for (std::size_t i = 1; i + 1 < N; ++i) addc_cc(sum[i], x[i], y[i]);
  addc(sum[N - 1], x[N - 1], y[N - 1]);
  return sum;
}

/// difference = x - y; all ones if that is negative, else 0.
template <std::size_t N>
__device__ u32 subtract_words(Words<N>& difference, const Words<N>& x, const Words<N>& y) {
  sub_cc(difference[0], x[0], y[0]);
#pragma unroll
  for (std::size_t i = 1; i < N; ++i) subc_cc(difference[i], x[i], y[i]);
  u32 borrow;
  subc(borrow, 0, 0);
  return borrow;
}

}  // namespace cuzk::device
