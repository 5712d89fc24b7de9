/// Elements to compute with, the same in every run: of `cuzk-bench` and of the programs in bench/.
#pragma once

#include <array>
#include <vector>

#include "field/fp.h"
#include "field/fp2.h"
#include "field/fr.h"

namespace cuzk::apps {

/// One with all words filled.
template <class F>
F element(u64 seed) {
  return F::from_u64(seed).inverse();
}
template <>
inline Fp2 element<Fp2>(u64 seed) {
  return {element<Fp>(seed), element<Fp>(seed + 1)};
}

/// Beginnings of chains that do not wait for one another.
template <class F, std::size_t kCount>
std::array<F, kCount> elements() {
  std::array<F, kCount> values;
  for (std::size_t i = 0; i < kCount; ++i) values[i] = element<F>(3 + i);
  return values;
}

/// So many different scalars.
inline std::vector<Fr> scalars(std::size_t count) {
  std::vector<Fr> values(count);
  Fr x = element<Fr>(7);
  for (Fr& value : values) value = x = x.squared() + Fr::one();
  return values;
}

}  // namespace cuzk::apps
