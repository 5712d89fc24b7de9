/// How gadget tests meet their vectors: the same steps for both builders, then everything compared.
#pragma once

#include <gtest/gtest.h>

#include "r1cs/compiler.h"
#include "r1cs/witness_builder.h"
#include "support/r1cs_bin.h"

namespace cuzk::gadgets {

/// `steps(builder, values)` is run with a Compiler and with a WitnessBuilder; values are the auxiliary values that are
/// expected, where the steps find their inputs. Constraints, values and their agreement are checked.
template <class Steps>
void expect_vector(const std::string& file, const std::string& name, const Steps& steps) {
  SCOPED_TRACE(name);
  const test::R1cs expected = test::read_gadget_case(file, name);
  r1cs::Compiler compiler;
  steps(compiler, std::span<const Fr>(expected.aux_values));
  const r1cs::Circuit circuit = std::move(compiler).finish();
  r1cs::WitnessBuilder builder;
  steps(builder, std::span<const Fr>(expected.aux_values));
  const r1cs::Witness witness = std::move(builder).finish();
  EXPECT_TRUE(test::same_constraints(circuit, expected));
  EXPECT_TRUE(test::same_values(witness, expected));
  EXPECT_EQ(test::first_unsatisfied(circuit, witness), std::nullopt);
}

/// `steps(builder)` run with both: the values satisfy the constraints.
template <class Steps>
void expect_satisfied(const Steps& steps) {
  r1cs::Compiler compiler;
  steps(compiler);
  const r1cs::Circuit circuit = std::move(compiler).finish();
  r1cs::WitnessBuilder builder;
  steps(builder);
  const r1cs::Witness witness = std::move(builder).finish();
  ASSERT_EQ(circuit.inputs(), witness.inputs().size());
  ASSERT_EQ(circuit.aux(), witness.aux_count());
  EXPECT_EQ(test::first_unsatisfied(circuit, witness), std::nullopt);
}

}  // namespace cuzk::gadgets
