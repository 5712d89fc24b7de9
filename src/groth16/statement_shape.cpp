#include "groth16/statement_shape.h"

#include <string_view>

#include "base/error.h"

namespace cuzk::groth16 {
namespace {

void require_equal(std::string_view vector, u64 found, u64 expected) {
  if (found == expected) return;
  throw invalid_input("proving key: {} has {} points, expected {} for the circuit", vector, found, expected);
}

void check_key(const KeyLengths& found, const KeyLengths& expected) {
  require_equal("ic", found.ic, expected.ic);
  require_equal("h", found.h, expected.h);
  require_equal("l", found.l, expected.l);
  require_equal("a", found.a, expected.a);
  require_equal("b_g1", found.b_g1, expected.b_g1);
  require_equal("b_g2", found.b_g2, expected.b_g2);
}

void check_witness(const r1cs::Witness& witness, const r1cs::Circuit& circuit) {
  if (witness.inputs().size() == circuit.inputs() && witness.aux_count() == circuit.aux()) return;
  throw invalid_input("witness: {} inputs and {} auxiliary variables, expected {} and {} for the circuit",
                      witness.inputs().size(), witness.aux_count(), circuit.inputs(), circuit.aux());
}

}  // namespace

void check_shape(const KeyLengths& key, const r1cs::Circuit& circuit, const r1cs::Witness& witness) {
  check_key(key, key_lengths(circuit));
  check_witness(witness, circuit);
}

}  // namespace cuzk::groth16
