/// Elements of prime fields as the decimal digits that snarkjs writes.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "field/fp.h"
#include "field/fr.h"

namespace cuzk::groth16 {

/// Nothing unless the text is digits alone, without needless zeros in front, of a number below the modulus: every element
/// has one text.
template <class Field>
std::optional<Field> from_decimal(std::string_view text);

template <class Field>
std::string to_decimal(const Field& element);

extern template std::optional<Fr> from_decimal(std::string_view);
extern template std::optional<Fp> from_decimal(std::string_view);
extern template std::string to_decimal(const Fr&);
extern template std::string to_decimal(const Fp&);

}  // namespace cuzk::groth16
