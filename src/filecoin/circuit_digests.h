/// The digests of all circuits of the network: SHA-256 of the canonical stream (r1cs/circuit.h), which takes half a minute
/// to compute for the largest and is known here at once.
#pragma once

#include <optional>
#include <string_view>

#include "hash/sha256.h"

namespace cuzk::filecoin {

/// Of a circuit's id (filecoin/circuit_name.h); none for an id that is not the network's. 27 of 39 were published with
/// Filecoin's own circuits; of the others the counts were, and the digest is this program's (docs/circuits.md).
std::optional<Digest> known_circuit_digest(std::string_view circuit_id);

}  // namespace cuzk::filecoin
