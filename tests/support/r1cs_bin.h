/// Whole constraint systems as tests/vectors holds them, and the comparison of a compiled circuit with one.
#pragma once

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "r1cs/circuit.h"

namespace cuzk::test {

struct R1csConstraint {
  std::vector<r1cs::Term> a, b, c;
  std::string name;  ///< empty in the binary form
};

/// A constraint system without the appended constraints.
struct R1cs {
  u32 inputs = 0, aux = 0;
  std::vector<R1csConstraint> constraints;
  std::vector<Fr> input_values, aux_values;  ///< empty when the file has none
};

/// A file in the binary form R1CSBIN1, such as "r1cs/full/porep-2k.r1cs.xz".
R1cs read_r1cs(const std::string& file);

/// The case of a gadget file, such as ("gadgets/uint.json.xz", "uint32_xor"); follows its "binary" file.
R1cs read_gadget_case(const std::string& file, const std::string& name);

/// The JSON of that case, for its inputs and outputs.
nlohmann::json gadget_case(const std::string& file, const std::string& name);

/// Same numbers of variables, same constraints in the same order (the circuit's appended ones apart).
testing::AssertionResult same_constraints(const r1cs::Circuit& circuit, const R1cs& expected);

/// Same values of all variables.
testing::AssertionResult same_values(const r1cs::Witness& witness, const R1cs& expected);

/// The first constraint of the circuit that the witness does not satisfy, by its path; nothing when all hold.
std::optional<std::string> first_unsatisfied(const r1cs::Circuit& circuit, const r1cs::Witness& witness);

}  // namespace cuzk::test
