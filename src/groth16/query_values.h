/// The values of a witness that meet one query of a key, which lists only some variables.
#pragma once

#include <vector>

#include "field/fr.h"
#include "r1cs/circuit.h"
#include "r1cs/witness.h"

namespace cuzk::groth16 {

/// Those of the inputs that the query lists, then those of the auxiliary variables. As secret as the witness.
struct QueryValues {
  std::vector<Fr> inputs;
  r1cs::DenseWitness aux;
};

// Each walks over the whole witness: at 130 million variables some 100 ms of one core, and for each listed variable a
// bit, or 36 bytes where it is a field element.
QueryValues l_values(const r1cs::Witness& witness);  ///< every auxiliary variable, no input
QueryValues a_values(const r1cs::Circuit& circuit, const r1cs::Witness& witness);
QueryValues b_values(const r1cs::Circuit& circuit, const r1cs::Witness& witness);

}  // namespace cuzk::groth16
