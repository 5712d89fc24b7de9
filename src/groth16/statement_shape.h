/// Whether a key, a circuit and a witness belong together, by their numbers: what every prover looks at first.
#pragma once

#include "groth16/key_layout.h"
#include "r1cs/circuit.h"
#include "r1cs/witness.h"

namespace cuzk::groth16 {

/// Throws Error{invalid_input} naming the vector, or the variables, and both numbers.
void check_shape(const KeyLengths& key, const r1cs::Circuit& circuit, const r1cs::Witness& witness);

}  // namespace cuzk::groth16
