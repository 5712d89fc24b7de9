#include "groth16/quotient.h"

#include <utility>

#include "poly/domain.h"
#include "poly/quotient.h"

namespace cuzk::groth16 {

Evaluations evaluate(const r1cs::Circuit& circuit, const r1cs::Witness& witness, ThreadPool& pool) {
  const std::size_t size = std::size_t{1} << circuit.log2_domain();
  Evaluations values{Buffer<Fr>(size), Buffer<Fr>(size), Buffer<Fr>(size)};
  circuit.evaluate(witness, values.a.span(), values.b.span(), values.c.span(), pool);
  return values;
}

Buffer<Fr> quotient_of(const r1cs::Circuit& circuit, const r1cs::Witness& witness, ThreadPool& pool,
                       const Control& control) {
  Span evaluating = control.span("evaluate");
  Evaluations values = evaluate(circuit, witness, pool);
  evaluating.end();
  control.check("proof");
  const Span transforming = control.span("quotient");
  return quotient_of_first(Domain(circuit.log2_domain()), std::move(values.a), std::move(values.b), std::move(values.c),
                           static_cast<std::size_t>(circuit.constraints()), pool);
}

}  // namespace cuzk::groth16
