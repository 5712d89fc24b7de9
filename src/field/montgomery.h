/// The operations under a prime field on Montgomery forms. The portable functions are the reference: constant
/// expressions, host and device. The unqualified ones below give the same results to the bit and choose the target's own
/// form where it has one (montgomery_x86.h if the processor does, montgomery_device.h). Source of the multiplication: Koc, Acar, Kaliski,
/// "Analyzing and Comparing Montgomery Multiplication Algorithms", CIOS; the free top bit of both moduli saves a word.
#pragma once

#ifdef __CUDACC__
#include "field/montgomery_device.h"
#endif
#include <type_traits>

#include "field/limbs.h"

namespace cuzk {
namespace portable {

/// x - m if that is not negative.
template <class Params, std::size_t N>
CUZK_HD constexpr Limbs<N> reduce_once(const Limbs<N>& x) {
  constexpr Limbs<N> modulus = Params::kModulus;  // device code has no static members: everywhere a local constant
  Limbs<N> reduced = x;
  return sub_in_place(reduced, modulus) == 0 ? reduced : x;
}

template <class Params, std::size_t N>
CUZK_HD constexpr Limbs<N> add(Limbs<N> x, const Limbs<N>& y) {
  add_in_place(x, y);
  return reduce_once<Params>(x);
}

template <class Params, std::size_t N>
CUZK_HD constexpr Limbs<N> subtract(Limbs<N> x, const Limbs<N>& y) {
  constexpr Limbs<N> modulus = Params::kModulus;
  if (sub_in_place(x, y) != 0) add_in_place(x, modulus);
  return x;
}

/// x y / 2^(64 N) mod m.
template <class Params, std::size_t N>
CUZK_HD constexpr Limbs<N> multiply(const Limbs<N>& x, const Limbs<N>& y) {
  constexpr Limbs<N> modulus = Params::kModulus;
  Limbs<N> t{};
  for (std::size_t i = 0; i < N; ++i) {
    u64 high = 0, carry = 0;
    t[0] = multiply_add(t[0], x[i], y[0], high);
    const u64 factor = t[0] * Params::kInverse;
    multiply_add(t[0], factor, modulus[0], carry);
    for (std::size_t j = 1; j < N; ++j) {
      t[j] = multiply_add(t[j], x[i], y[j], high);
      t[j - 1] = multiply_add(t[j], factor, modulus[j], carry);
    }
    t[N - 1] = high + carry;
  }
  return reduce_once<Params>(t);
}

template <class Params, std::size_t N>
CUZK_HD constexpr Limbs<N> sum_of_products(const Limbs<N>& x0, const Limbs<N>& y0, const Limbs<N>& x1,
                                           const Limbs<N>& y1) {
  return add<Params>(multiply<Params>(x0, y0), multiply<Params>(x1, y1));
}

}  // namespace portable
}  // namespace cuzk

#include "field/montgomery_x86.h"  // needs what stands above

namespace cuzk {

#ifdef CUZK_NATIVE_FIELD
#define CUZK_FASTEST(operation, ...)                                      \
  std::is_constant_evaluated() ? portable::operation<Params>(__VA_ARGS__) \
                               : CUZK_NATIVE_FIELD::operation<Params>(__VA_ARGS__)
/// Whether a sum of two products costs less than two multiplications.
inline constexpr bool kFastSumOfProducts = true;
#else
#define CUZK_FASTEST(operation, ...) portable::operation<Params>(__VA_ARGS__)
inline constexpr bool kFastSumOfProducts = false;
#endif

template <class Params, std::size_t N>
CUZK_HD constexpr Limbs<N> montgomery_add(const Limbs<N>& x, const Limbs<N>& y) {
  return CUZK_FASTEST(add, x, y);
}
template <class Params, std::size_t N>
CUZK_HD constexpr Limbs<N> montgomery_subtract(const Limbs<N>& x, const Limbs<N>& y) {
  return CUZK_FASTEST(subtract, x, y);
}
template <class Params, std::size_t N>
CUZK_HD constexpr Limbs<N> montgomery_multiply(const Limbs<N>& x, const Limbs<N>& y) {
  return CUZK_FASTEST(multiply, x, y);
}
/// x0 y0 + x1 y1; Fp only.
template <class Params>
CUZK_HD constexpr Limbs<6> montgomery_sum_of_products(const Limbs<6>& x0, const Limbs<6>& y0, const Limbs<6>& x1,
                                                      const Limbs<6>& y1) {
  return CUZK_FASTEST(sum_of_products, x0, y0, x1, y1);
}

#undef CUZK_FASTEST

}  // namespace cuzk
