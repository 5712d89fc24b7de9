/// What a verifying key must not be: keys under which anyone can make proofs of false statements.
#pragma once

#include <string_view>

#include "groth16/verifying_key.h"

namespace cuzk::groth16 {

/// Throws Error{invalid_input} naming `source` for a key whose gamma is delta, for then public inputs move freely into C; for
/// one whose fixed points are infinity (alpha, beta, gamma, delta); and for one without ic. Points are known to be in
/// their subgroups.
void check_soundness(const VerifyingKey& key, std::string_view source);

}  // namespace cuzk::groth16
