#include "groth16/query_values.h"

namespace cuzk::groth16 {

QueryValues l_values(const r1cs::Witness& witness) { return {.inputs = {}, .aux = r1cs::select_all(witness)}; }

QueryValues a_values(const r1cs::Circuit& circuit, const r1cs::Witness& witness) {
  return {.inputs = {witness.inputs().begin(), witness.inputs().end()},
          .aux = r1cs::select_dense(witness, circuit.densities().a_aux)};
}

QueryValues b_values(const r1cs::Circuit& circuit, const r1cs::Witness& witness) {
  const r1cs::Densities& densities = circuit.densities();
  QueryValues values{.inputs = {}, .aux = r1cs::select_dense(witness, densities.b_aux)};
  for (std::size_t i = 0; i < densities.b_inputs.size(); ++i) {
    if (densities.b_inputs[i]) values.inputs.push_back(witness.inputs()[i]);
  }
  return values;
}

}  // namespace cuzk::groth16
