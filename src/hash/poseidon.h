/// The Poseidon hash of Filecoin over Fr: the permutation of (tag, inputs), of which the result is element 1.
///
/// Constants and both forms of the permutation: hash/poseidon_constants.h. All functions may be called from any thread.
#pragma once

#include <span>

#include "hash/poseidon_constants.h"

namespace cuzk {

/// Of 1 to kPoseidonMaxArity inputs with the tag of trees: nodes of arity 2, 4 and 8, columns, comm_r.
Fr poseidon(std::span<const Fr> inputs);

/// Of two inputs with the tag of randomness: phi, rho and challenges of sector updates.
Fr poseidon_gen_randomness(const Fr& first, const Fr& second);

/// With any tag; inputs.size() must be constants.arity.
Fr poseidon(const PoseidonConstants& constants, const Fr& tag, std::span<const Fr> inputs);

/// The same by the plain form, as the paper states it: slow, for tests.
Fr poseidon_reference(const PoseidonConstants& constants, const Fr& tag, std::span<const Fr> inputs);

}  // namespace cuzk
