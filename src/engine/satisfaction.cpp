#include "engine/satisfaction.h"

namespace cuzk::engine {

Evaluation::Evaluation(const r1cs::Circuit& circuit, const r1cs::Witness& witness, ThreadPool& pool)
    : a(circuit.constraints()), b(circuit.constraints()), c(circuit.constraints()) {
  circuit.evaluate(witness, a, b, c, pool);
}

std::optional<u64> Evaluation::first_unsatisfied() const {
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] * b[i] != c[i]) return i;
  }
  return std::nullopt;
}

std::optional<u64> first_unsatisfied(const r1cs::Circuit& circuit, const r1cs::Witness& witness, ThreadPool& pool) {
  return Evaluation(circuit, witness, pool).first_unsatisfied();
}

}  // namespace cuzk::engine
