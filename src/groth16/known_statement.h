/// A small statement that is known to be true, with a key that is no secret: what a device proves before it is used.
#pragma once

#include <vector>

#include "groth16/setup.h"
#include "r1cs/circuit.h"
#include "r1cs/witness.h"

namespace cuzk::groth16 {

/// 64 rounds of v <- (v + n)^2, where the bits of each n are variables, and the last v is public. 4,000 variables,
/// mostly bits, as in the circuits that matter.
struct KnownStatement {
  r1cs::Circuit circuit;
  r1cs::Witness witness;
  ToxicWaste waste;
  std::vector<Fr> public_inputs;
};

KnownStatement known_statement();

}  // namespace cuzk::groth16
