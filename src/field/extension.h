/// What the extension fields Fp2, Fp6 and Fp12 share: bytes of coefficients, and powers.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <span>

#include "field/limbs.h"

namespace cuzk {

/// The bytes of every coefficient in turn.
template <class Coefficient, class... Rest>
std::array<u8, (1 + sizeof...(Rest)) * Coefficient::kBytes> coefficients_to_bytes(const Coefficient& first,
                                                                                  const Rest&... rest) {
  std::array<u8, (1 + sizeof...(Rest)) * Coefficient::kBytes> bytes;
  auto end = std::ranges::copy(first.to_bytes(), bytes.begin()).out;
  ((end = std::ranges::copy(rest.to_bytes(), end).out), ...);
  return bytes;
}

/// Coefficient number i of an element's bytes; empty when it is not canonical.
template <class Coefficient>
std::optional<Coefficient> coefficient_from_bytes(std::span<const u8> bytes, std::size_t i) {
  return Coefficient::from_bytes(bytes.subspan(i * Coefficient::kBytes).template first<Coefficient::kBytes>());
}

/// element^exponent; the exponent is a little-endian integer of any length.
template <class Field, std::size_t M>
CUZK_HD constexpr Field power(const Field& element, const Limbs<M>& exponent) {
  Field result = Field::one();
  for (std::size_t i = 64 * M; i-- > 0;) {
    result = result.squared();
    if (bit(exponent, i)) result *= element;
  }
  return result;
}

}  // namespace cuzk
