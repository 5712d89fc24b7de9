#include "engine/satisfaction.h"

namespace cuzk::engine {

std::optional<u64> first_unsatisfied(const r1cs::Evaluator::Slice& slice) {
  for (std::size_t i = 0; i < slice.a.size(); ++i) {
    if (slice.a[i] * slice.b[i] != slice.c[i]) return slice.first + i;
  }
  return std::nullopt;
}

std::optional<u64> first_unsatisfied(const r1cs::Circuit& circuit, const r1cs::Witness& witness, ThreadPool& pool) {
  std::optional<u64> first;
  r1cs::Evaluator(circuit).for_each_slice(witness, pool, [&](const r1cs::Evaluator::Slice& slice) {
    if (!first) first = first_unsatisfied(slice);
  });
  return first;
}

}  // namespace cuzk::engine
