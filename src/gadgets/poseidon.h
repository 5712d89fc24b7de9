/// The Poseidon hash in a circuit, in the form that Filecoin's keys were made for: constants behind the S-boxes
/// (hash/poseidon_constants.h), three variables for an S-box and one for what goes into it.
///
/// Variables in order: for each S-box its input (a sum made a variable; not in the first round, where the input is the
/// hash's own plus a constant), x^2, x^4, x^5 + key; the first S-box of all is of the tag and costs nothing; at the end
/// the hash. Constraints, as many: arity 2: 311, 4: 377, 8: 505, 11: 598.
#pragma once

#include "gadgets/number.h"
#include "hash/poseidon_constants.h"
#include "hash/poseidon_form.h"

namespace cuzk::gadgets {

using cuzk::PoseidonTag;

/// The hash of 1 to kPoseidonMaxArity numbers as a new variable.
Signal poseidon(Recorder& recorder, std::span<const Signal> inputs, PoseidonTag tag = PoseidonTag::merkle);
Signal poseidon(Compiler& builder, std::span<const Signal> inputs, PoseidonTag tag = PoseidonTag::merkle);
Fr poseidon(WitnessBuilder& builder, std::span<const Fr> inputs, PoseidonTag tag = PoseidonTag::merkle);

/// Computes hashes ahead, eight side by side (hash/poseidon_batch.h), for a circuit that will ask for them as its
/// places[i]-th after builder.prepared().expect(...). Inputs stand one hash after another. Returns the hashes.
std::vector<Fr> prepare_poseidon(WitnessBuilder& builder, PoseidonTag tag, std::size_t arity,
                                 std::span<const Fr> inputs, std::span<const std::size_t> places);

}  // namespace cuzk::gadgets
