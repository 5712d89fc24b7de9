#include "groth16/quotient.h"

#include <optional>

#include "poly/domain.h"
#include "poly/quotient.h"
#include "r1cs/evaluator.h"

namespace cuzk::groth16 {

Evaluations evaluate(const r1cs::Circuit& circuit, const r1cs::Witness& witness, ThreadPool& pool) {
  const std::size_t size = std::size_t{1} << circuit.log2_domain();
  Evaluations values{Buffer<Fr>(size), Buffer<Fr>(size), Buffer<Fr>(size)};
  circuit.evaluate(witness, values.a.span(), values.b.span(), values.c.span(), pool);
  return values;
}

Buffer<Fr> quotient_of(const r1cs::Circuit& circuit, const r1cs::Witness& witness, ThreadPool& pool,
                       const Control& control) {
  const r1cs::Evaluator evaluator(circuit);
  std::optional<Span> transforming;
  const auto evaluate_side = [&](QuotientSide side, std::span<Fr> values) {
    transforming.reset();
    control.check("proof");
    const Span evaluating = control.span("evaluate");
    const auto only = [&](QuotientSide one) { return one == side ? values : std::span<Fr>(); };
    evaluator.evaluate(witness, only(QuotientSide::a), only(QuotientSide::b), only(QuotientSide::c), pool);
    transforming.emplace(control.trace, "quotient", control.item);
  };
  return quotient_of_sides(Domain(circuit.log2_domain()), static_cast<std::size_t>(circuit.constraints()),
                           evaluate_side, pool);
}

}  // namespace cuzk::groth16
