/// a, b, c by the definition, a term at a time: what the fast evaluation must equal.
#pragma once

#include <vector>

#include "r1cs/circuit.h"

namespace cuzk::r1cs {

struct SimpleEvaluation {
  std::vector<Fr> a, b, c;

  SimpleEvaluation(const Circuit& circuit, const Witness& witness) {
    const auto value = [&](std::span<const Term> side) {
      Fr sum = Fr::zero();
      for (const Term& term : side) {
        const u32 index = term.variable.index();
        sum += term.coefficient * (term.variable.is_input() ? witness.inputs()[index] : witness.aux(index));
      }
      return sum;
    };
    circuit.for_each_constraint([&](const Constraint& constraint) {
      a.push_back(value(constraint.a));
      b.push_back(value(constraint.b));
      c.push_back(value(constraint.c));
    });
  }
};

}  // namespace cuzk::r1cs
