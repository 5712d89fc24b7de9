/// Choosing among numbers by the bits of an index: what puts a node among its siblings in a Merkle path.
///
/// The index is given by bits that are variables, least significant first; there are 2^bits numbers to choose from or
/// to make.
#pragma once

#include "gadgets/number.h"

namespace cuzk::gadgets {

/// A new variable: chosen where the bit is 1, else other.
Signal pick(Recorder& recorder, Signal bit, Signal chosen, Signal other);

/// The others with the element put in at the index. 2 numbers cost 2 constraints, 4 cost 8, 8 cost 22, any other size n
/// n (n - 1).
std::vector<Signal> insert(Recorder& recorder, Signal element, std::span<const Signal> index,
                           std::span<const Signal> others);
std::vector<Signal> insert(Compiler& builder, Signal element, std::span<const Signal> index,
                           std::span<const Signal> others);
std::vector<Fr> insert(WitnessBuilder& builder, const Fr& element, const BitString& index, std::span<const Fr> others);

/// The number at the index; n - 1 constraints.
Signal select(Compiler& builder, std::span<const Signal> from, std::span<const Signal> index);
Fr select(WitnessBuilder& builder, std::span<const Fr> from, const BitString& index);

}  // namespace cuzk::gadgets
