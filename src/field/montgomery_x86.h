/// Field operations for x86-64 with ADX and BMI2: two carry chains run side by side (adcx, adox) over the rows of mulx.
/// Multiplications are used where the processor has both (field/kernels.h), additions on any; equal to portable:: to the
/// bit. The compiler's target need not have them, only a processor that runs multiplications.
#pragma once

#if defined(__x86_64__) && defined(__OPTIMIZE__) && !defined(__CUDACC__)
#define CUZK_NATIVE_FIELD x86

#include "field/limbs.h"

namespace cuzk::x86 {

/// Chosen before main() (montgomery_x86.cpp); false until then, which gives the same values.
[[gnu::visibility("hidden")]] extern bool multiplies_with_adx;

/// Hidden, so that position-independent code reaches the words without an indirection: they are memory operands.
template <class Params>
struct [[gnu::visibility("hidden")]] Constants {
  static constexpr Limbs<Params::kLimbs> modulus = Params::kModulus;
  static constexpr u64 inverse = Params::kInverse;
};

/// Two numbers of six words, one after the other.
struct Pair {
  Limbs<6> first, second;
};

// Where the processor has no ADX, or CUZK_CPU=portable: out of the way of what is inline.
template <class Params, std::size_t N>
[[gnu::noinline, gnu::cold]] Limbs<N> multiply_portably(const Limbs<N>& x, const Limbs<N>& y) {
  return portable::multiply<Params>(x, y);
}
template <class Params>
[[gnu::noinline, gnu::cold]] Limbs<6> sum_of_products_portably(const Pair& x, const Pair& y) {
  return portable::sum_of_products<Params>(x.first, y.first, x.second, y.second);
}

// A line of assembly stays a line.
// clang-format off

// One row: t += x * y[i]; the word above t ends in `high`. Products' low words ride on OF, high words on CF. `base` is
// where the words of x begin, for pairs of numbers.
#define CUZK_ROW_BEGIN(base, i)                  \
  "xorl %k[low], %k[low]\n\t"                    \
  "movq 8*" #i "(%[y]), %%rdx\n\t"               \
  "mulxq 8*" #base "(%[x]), %[low], %[high]\n\t" \
  "adoxq %[low], %[t0]\n\t"
#define CUZK_ROW_WORD(base, j)                             \
  "adcxq %[high], %[t" #j "]\n\t"                          \
  "mulxq 8*(" #base "+" #j ")(%[x]), %[low], %[high]\n\t"  \
  "adoxq %[low], %[t" #j "]\n\t"
#define CUZK_ROW_END          \
  "movl $0, %k[low]\n\t"      \
  "adcxq %[low], %[high]\n\t" \
  "adoxq %[low], %[high]\n\t"

// The first row: t = x * y[0].
#define CUZK_FIRST_BEGIN           \
  "xorl %k[low], %k[low]\n\t"      \
  "movq (%[y]), %%rdx\n\t"         \
  "mulxq (%[x]), %[t0], %[t1]\n\t"
#define CUZK_FIRST_WORD(j, next)                    \
  "mulxq 8*" #j "(%[x]), %[low], %[t" #next "]\n\t" \
  "adcxq %[low], %[t" #j "]\n\t"
#define CUZK_FIRST_END(last)                      \
  "mulxq 8*" #last "(%[x]), %[low], %[high]\n\t"  \
  "adcxq %[low], %[t" #last "]\n\t"               \
  "movl $0, %k[low]\n\t"                          \
  "adcxq %[low], %[high]\n\t"

// One step of reduction: t = (t + high 2^(64 N) + factor * modulus) / 2^64, where factor makes the low word vanish.
#define CUZK_REDUCE_BEGIN               \
  "movq %[t0], %%rdx\n\t"               \
  "imulq %[inverse], %%rdx\n\t"         \
  "xorl %k[low], %k[low]\n\t"           \
  "mulxq %[m0], %[low], %[spare]\n\t"   \
  "adcxq %[t0], %[low]\n\t"             \
  "movq %[spare], %[t0]\n\t"
#define CUZK_REDUCE_WORD(before, j)               \
  "adcxq %[t" #j "], %[t" #before "]\n\t"         \
  "mulxq %[m" #j "], %[low], %[t" #j "]\n\t"      \
  "adoxq %[low], %[t" #before "]\n\t"
#define CUZK_REDUCE_END(last)            \
  "movl $0, %k[low]\n\t"                 \
  "adcxq %[low], %[t" #last "]\n\t"      \
  "adoxq %[high], %[t" #last "]\n\t"

#define CUZK_REDUCE_4                                                                  \
  CUZK_REDUCE_BEGIN CUZK_REDUCE_WORD(0, 1) CUZK_REDUCE_WORD(1, 2) CUZK_REDUCE_WORD(2, 3) \
  CUZK_REDUCE_END(3)
#define CUZK_REDUCE_6                                                                    \
  CUZK_REDUCE_BEGIN CUZK_REDUCE_WORD(0, 1) CUZK_REDUCE_WORD(1, 2) CUZK_REDUCE_WORD(2, 3) \
  CUZK_REDUCE_WORD(3, 4) CUZK_REDUCE_WORD(4, 5) CUZK_REDUCE_END(5)
#define CUZK_ROW_4(i)                                                                                     \
  CUZK_ROW_BEGIN(0, i) CUZK_ROW_WORD(0, 1) CUZK_ROW_WORD(0, 2) CUZK_ROW_WORD(0, 3) CUZK_ROW_END CUZK_REDUCE_4
#define CUZK_ROW_6(base, i)                                                                         \
  CUZK_ROW_BEGIN(base, i) CUZK_ROW_WORD(base, 1) CUZK_ROW_WORD(base, 2) CUZK_ROW_WORD(base, 3)      \
  CUZK_ROW_WORD(base, 4) CUZK_ROW_WORD(base, 5) CUZK_ROW_END

// Two rows, one of each product, before a step of reduction.
#define CUZK_KEEP_HIGH "movq %[high], %[first_high]\n\t"
#define CUZK_ADD_HIGH "addq %[first_high], %[high]\n\t"
#define CUZK_TWO_ROWS_6(i, second)                                                                  \
  CUZK_ROW_6(0, i) CUZK_KEEP_HIGH CUZK_ROW_6(6, second) CUZK_ADD_HIGH CUZK_REDUCE_6

#define CUZK_MODULUS_4(Params)                                                                            \
  [m0] "m"(Constants<Params>::modulus.word[0]), [m1] "m"(Constants<Params>::modulus.word[1]),             \
      [m2] "m"(Constants<Params>::modulus.word[2]), [m3] "m"(Constants<Params>::modulus.word[3])
#define CUZK_MODULUS_6(Params)                                                                            \
  CUZK_MODULUS_4(Params), [m4] "m"(Constants<Params>::modulus.word[4]), [m5] "m"(Constants<Params>::modulus.word[5])

/// x y / 2^256 mod m, below 2 m.
template <class Params>
inline Limbs<4> multiply_unreduced(const Limbs<4>& x, const Limbs<4>& y) {
  Limbs<4> t;
  u64 low, high, spare;
  asm(CUZK_FIRST_BEGIN CUZK_FIRST_WORD(1, 2) CUZK_FIRST_WORD(2, 3) CUZK_FIRST_END(3) CUZK_REDUCE_4
      CUZK_ROW_4(1) CUZK_ROW_4(2) CUZK_ROW_4(3)
      : [t0] "=&r"(t.word[0]), [t1] "=&r"(t.word[1]), [t2] "=&r"(t.word[2]), [t3] "=&r"(t.word[3]),
        [low] "=&r"(low), [high] "=&r"(high), [spare] "=&r"(spare)
      : [x] "r"(&x), [y] "r"(&y), "m"(x), "m"(y), CUZK_MODULUS_4(Params), [inverse] "m"(Constants<Params>::inverse)
      : "rdx", "cc");
  return t;
}

/// x y / 2^384 mod m, below 2 m.
template <class Params>
inline Limbs<6> multiply_unreduced(const Limbs<6>& x, const Limbs<6>& y) {
  Limbs<6> t;
  u64 low, high, spare;
  asm(CUZK_FIRST_BEGIN CUZK_FIRST_WORD(1, 2) CUZK_FIRST_WORD(2, 3) CUZK_FIRST_WORD(3, 4) CUZK_FIRST_WORD(4, 5)
      CUZK_FIRST_END(5) CUZK_REDUCE_6 CUZK_ROW_6(0, 1) CUZK_REDUCE_6 CUZK_ROW_6(0, 2) CUZK_REDUCE_6
      CUZK_ROW_6(0, 3) CUZK_REDUCE_6 CUZK_ROW_6(0, 4) CUZK_REDUCE_6 CUZK_ROW_6(0, 5) CUZK_REDUCE_6
      : [t0] "=&r"(t.word[0]), [t1] "=&r"(t.word[1]), [t2] "=&r"(t.word[2]), [t3] "=&r"(t.word[3]),
        [t4] "=&r"(t.word[4]), [t5] "=&r"(t.word[5]), [low] "=&r"(low), [high] "=&r"(high), [spare] "=&r"(spare)
      : [x] "r"(&x), [y] "r"(&y), "m"(x), "m"(y), CUZK_MODULUS_6(Params), [inverse] "m"(Constants<Params>::inverse)
      : "rdx", "cc");
  return t;
}

/// (x0 y0 + x1 y1) / 2^384 mod m, below 2 m: two products for one and a half multiplications.
/// Source: Longa, "Efficient Algorithms for Large Prime Characteristic Fields and Their Application to Bilinear
/// Pairings" (2022).
template <class Params>
inline Limbs<6> sum_of_products_unreduced(const Pair& x, const Pair& y) {
  Limbs<6> t;
  u64 low, high, spare, first_high;
  asm(CUZK_FIRST_BEGIN CUZK_FIRST_WORD(1, 2) CUZK_FIRST_WORD(2, 3) CUZK_FIRST_WORD(3, 4) CUZK_FIRST_WORD(4, 5)
      CUZK_FIRST_END(5) CUZK_KEEP_HIGH CUZK_ROW_6(6, 6) CUZK_ADD_HIGH CUZK_REDUCE_6
      CUZK_TWO_ROWS_6(1, 7) CUZK_TWO_ROWS_6(2, 8) CUZK_TWO_ROWS_6(3, 9) CUZK_TWO_ROWS_6(4, 10) CUZK_TWO_ROWS_6(5, 11)
      : [t0] "=&r"(t.word[0]), [t1] "=&r"(t.word[1]), [t2] "=&r"(t.word[2]), [t3] "=&r"(t.word[3]),
        [t4] "=&r"(t.word[4]), [t5] "=&r"(t.word[5]), [low] "=&r"(low), [high] "=&r"(high), [spare] "=&r"(spare),
        [first_high] "=&r"(first_high)
      : [x] "r"(&x), [y] "r"(&y), "m"(x), "m"(y), CUZK_MODULUS_6(Params), [inverse] "m"(Constants<Params>::inverse)
      : "rdx", "cc");
  return t;
}

/// x - m if that is not negative; without a branch, which would be wrong half of the time.
template <class Params>
inline Limbs<4> reduce_once(Limbs<4> x) {
  Limbs<4> r = x;
  asm("subq %[m0], %[r0]\n\t"
      "sbbq %[m1], %[r1]\n\t"
      "sbbq %[m2], %[r2]\n\t"
      "sbbq %[m3], %[r3]\n\t"
      "cmovcq %[x0], %[r0]\n\t"
      "cmovcq %[x1], %[r1]\n\t"
      "cmovcq %[x2], %[r2]\n\t"
      "cmovcq %[x3], %[r3]\n\t"
      : [r0] "+&r"(r.word[0]), [r1] "+&r"(r.word[1]), [r2] "+&r"(r.word[2]), [r3] "+&r"(r.word[3])
      : [x0] "rm"(x.word[0]), [x1] "rm"(x.word[1]), [x2] "rm"(x.word[2]), [x3] "rm"(x.word[3]), CUZK_MODULUS_4(Params)
      : "cc");
  return r;
}
template <class Params>
inline Limbs<6> reduce_once(Limbs<6> x) {
  Limbs<6> r = x;
  asm("subq %[m0], %[r0]\n\t"
      "sbbq %[m1], %[r1]\n\t"
      "sbbq %[m2], %[r2]\n\t"
      "sbbq %[m3], %[r3]\n\t"
      "sbbq %[m4], %[r4]\n\t"
      "sbbq %[m5], %[r5]\n\t"
      "cmovcq %[x0], %[r0]\n\t"
      "cmovcq %[x1], %[r1]\n\t"
      "cmovcq %[x2], %[r2]\n\t"
      "cmovcq %[x3], %[r3]\n\t"
      "cmovcq %[x4], %[r4]\n\t"
      "cmovcq %[x5], %[r5]\n\t"
      : [r0] "+&r"(r.word[0]), [r1] "+&r"(r.word[1]), [r2] "+&r"(r.word[2]), [r3] "+&r"(r.word[3]),
        [r4] "+&r"(r.word[4]), [r5] "+&r"(r.word[5])
      : [x0] "rm"(x.word[0]), [x1] "rm"(x.word[1]), [x2] "rm"(x.word[2]), [x3] "rm"(x.word[3]),
        [x4] "rm"(x.word[4]), [x5] "rm"(x.word[5]), CUZK_MODULUS_6(Params)
      : "cc");
  return r;
}

/// x0 y0 + x1 y1. The pairs are copies on the stack, so that the assembly's addresses need no registers beyond its own.
template <class Params>
inline Limbs<6> sum_of_products(const Limbs<6>& x0, const Limbs<6>& y0, const Limbs<6>& x1, const Limbs<6>& y1) {
  const Pair x{x0, x1}, y{y0, y1};
  if (!multiplies_with_adx) [[unlikely]] return sum_of_products_portably<Params>(x, y);
  return reduce_once<Params>(sum_of_products_unreduced<Params>(x, y));
}

template <class Params, std::size_t N>
inline Limbs<N> multiply(const Limbs<N>& x, const Limbs<N>& y) {
  if (!multiplies_with_adx) [[unlikely]] return multiply_portably<Params>(x, y);
  return reduce_once<Params>(multiply_unreduced<Params>(x, y));
}

inline Limbs<4> add_words(Limbs<4> x, const Limbs<4>& y) {
  asm("addq %[y0], %[x0]\n\t"
      "adcq %[y1], %[x1]\n\t"
      "adcq %[y2], %[x2]\n\t"
      "adcq %[y3], %[x3]\n\t"
      : [x0] "+&r"(x.word[0]), [x1] "+&r"(x.word[1]), [x2] "+&r"(x.word[2]), [x3] "+&r"(x.word[3])
      : [y0] "rm"(y.word[0]), [y1] "rm"(y.word[1]), [y2] "rm"(y.word[2]), [y3] "rm"(y.word[3])
      : "cc");
  return x;
}
inline Limbs<6> add_words(Limbs<6> x, const Limbs<6>& y) {
  asm("addq %[y0], %[x0]\n\t"
      "adcq %[y1], %[x1]\n\t"
      "adcq %[y2], %[x2]\n\t"
      "adcq %[y3], %[x3]\n\t"
      "adcq %[y4], %[x4]\n\t"
      "adcq %[y5], %[x5]\n\t"
      : [x0] "+&r"(x.word[0]), [x1] "+&r"(x.word[1]), [x2] "+&r"(x.word[2]), [x3] "+&r"(x.word[3]),
        [x4] "+&r"(x.word[4]), [x5] "+&r"(x.word[5])
      : [y0] "rm"(y.word[0]), [y1] "rm"(y.word[1]), [y2] "rm"(y.word[2]), [y3] "rm"(y.word[3]),
        [y4] "rm"(y.word[4]), [y5] "rm"(y.word[5])
      : "cc");
  return x;
}

template <class Params, std::size_t N>
inline Limbs<N> add(const Limbs<N>& x, const Limbs<N>& y) {
  return reduce_once<Params>(add_words(x, y));
}

/// x - y and, as a mask of all ones, whether it went below zero.
inline u64 subtract_words(Limbs<4>& x, const Limbs<4>& y) {
  u64 mask;
  asm("subq %[y0], %[x0]\n\t"
      "sbbq %[y1], %[x1]\n\t"
      "sbbq %[y2], %[x2]\n\t"
      "sbbq %[y3], %[x3]\n\t"
      "sbbq %[mask], %[mask]\n\t"
      : [x0] "+&r"(x.word[0]), [x1] "+&r"(x.word[1]), [x2] "+&r"(x.word[2]), [x3] "+&r"(x.word[3]), [mask] "=&r"(mask)
      : [y0] "rm"(y.word[0]), [y1] "rm"(y.word[1]), [y2] "rm"(y.word[2]), [y3] "rm"(y.word[3])
      : "cc");
  return mask;
}
inline u64 subtract_words(Limbs<6>& x, const Limbs<6>& y) {
  u64 mask;
  asm("subq %[y0], %[x0]\n\t"
      "sbbq %[y1], %[x1]\n\t"
      "sbbq %[y2], %[x2]\n\t"
      "sbbq %[y3], %[x3]\n\t"
      "sbbq %[y4], %[x4]\n\t"
      "sbbq %[y5], %[x5]\n\t"
      "sbbq %[mask], %[mask]\n\t"
      : [x0] "+&r"(x.word[0]), [x1] "+&r"(x.word[1]), [x2] "+&r"(x.word[2]), [x3] "+&r"(x.word[3]),
        [x4] "+&r"(x.word[4]), [x5] "+&r"(x.word[5]), [mask] "=&r"(mask)
      : [y0] "rm"(y.word[0]), [y1] "rm"(y.word[1]), [y2] "rm"(y.word[2]), [y3] "rm"(y.word[3]),
        [y4] "rm"(y.word[4]), [y5] "rm"(y.word[5])
      : "cc");
  return mask;
}

/// In assembly only so that the compiler does not use vector registers, from which the carry chain would have to wait.
inline u64 masked(u64 mask, const u64& word) {
  asm("andq %[word], %[mask]" : [mask] "+r"(mask) : [word] "m"(word) : "cc");
  return mask;
}

template <class Params, std::size_t N>
inline Limbs<N> subtract(Limbs<N> x, const Limbs<N>& y) {
  const u64 mask = subtract_words(x, y);
  Limbs<N> correction;
  for (std::size_t i = 0; i < N; ++i) correction[i] = masked(mask, Constants<Params>::modulus.word[i]);
  return add_words(x, correction);
}

#undef CUZK_ROW_BEGIN
#undef CUZK_ROW_WORD
#undef CUZK_ROW_END
#undef CUZK_FIRST_BEGIN
#undef CUZK_FIRST_WORD
#undef CUZK_FIRST_END
#undef CUZK_REDUCE_BEGIN
#undef CUZK_REDUCE_WORD
#undef CUZK_REDUCE_END
#undef CUZK_REDUCE_4
#undef CUZK_REDUCE_6
#undef CUZK_ROW_4
#undef CUZK_ROW_6
#undef CUZK_KEEP_HIGH
#undef CUZK_ADD_HIGH
#undef CUZK_TWO_ROWS_6
#undef CUZK_MODULUS_4
#undef CUZK_MODULUS_6

// clang-format on
}  // namespace cuzk::x86

#endif
