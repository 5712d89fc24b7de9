/// Whether a witness satisfies its circuit.
#pragma once

#include <optional>
#include <vector>

#include "base/thread_pool.h"
#include "field/fr.h"
#include "r1cs/circuit.h"
#include "r1cs/witness.h"

namespace cuzk::engine {

/// a = A w, b = B w, c = C w: one value for each constraint, the appended ones included. Takes 96 bytes a constraint.
struct Evaluation {
  std::vector<Fr> a, b, c;

  Evaluation(const r1cs::Circuit& circuit, const r1cs::Witness& witness, ThreadPool& pool);

  /// Number of the first constraint with a * b != c.
  std::optional<u64> first_unsatisfied() const;
};

std::optional<u64> first_unsatisfied(const r1cs::Circuit& circuit, const r1cs::Witness& witness, ThreadPool& pool);

}  // namespace cuzk::engine
