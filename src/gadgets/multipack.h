/// Bits packed into field elements, 254 to an element, least significant first.
#pragma once

#include "gadgets/number.h"

namespace cuzk::gadgets {

inline constexpr std::size_t kPackedBits = 254;

/// One public input for each 254 bits begun; none for no bits.
void pack_into_inputs(Compiler& builder, std::span<const Signal> bits);
void pack_into_inputs(WitnessBuilder& builder, const BitString& bits);

/// A new variable of the first 254 bits at most; 0 for no bits.
Signal pack_bits(Compiler& builder, std::span<const Signal> bits);
Fr pack_bits(WitnessBuilder& builder, const BitString& bits);

}  // namespace cuzk::gadgets
