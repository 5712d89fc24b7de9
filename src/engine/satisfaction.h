/// Whether a witness satisfies its circuit.
#pragma once

#include <optional>

#include "base/thread_pool.h"
#include "r1cs/circuit.h"
#include "r1cs/evaluator.h"
#include "r1cs/witness.h"

namespace cuzk::engine {

/// The first constraint of a slice with a * b != c.
std::optional<u64> first_unsatisfied(const r1cs::Evaluator::Slice& slice);

/// The first of a whole circuit, in memory for a million constraints at a time.
std::optional<u64> first_unsatisfied(const r1cs::Circuit& circuit, const r1cs::Witness& witness, ThreadPool& pool);

}  // namespace cuzk::engine
