/// Seeded field elements for tests: the same values on every run. Points: support/random_points.h.
#pragma once

#include <bit>
#include <random>
#include <vector>

#include "base/types.h"
#include "field/limbs.h"

namespace cuzk::test {

using Random = std::mt19937_64;

/// An element of Fr or Fp, or of an extension with coefficients c0, c1 (and c2).
template <class F>
F random_field(Random& random) {
  if constexpr (requires { F::kLimbs; }) {
    typename F::Integer integer;
    do {
      for (std::size_t i = 0; i < F::kLimbs; ++i) integer[i] = random();
      integer[F::kLimbs - 1] &= ~u64{0} >> std::countl_zero(F::kModulus[F::kLimbs - 1]);
    } while (!less(integer, F::kModulus));
    return F::from_montgomery_unchecked(integer);
  } else {
    F element;
    element.c0 = random_field<decltype(element.c0)>(random);
    element.c1 = random_field<decltype(element.c1)>(random);
    if constexpr (requires { element.c2; }) element.c2 = random_field<decltype(element.c2)>(random);
    return element;
  }
}

template <class F>
std::vector<F> random_fields(std::size_t count, Random& random) {
  std::vector<F> elements(count);
  for (F& element : elements) element = random_field<F>(random);
  return elements;
}

}  // namespace cuzk::test
