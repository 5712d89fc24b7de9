#include "groth16/quotient.h"

#include <algorithm>
#include <utility>

#include "poly/domain.h"
#include "poly/quotient.h"

namespace cuzk::groth16 {
namespace {

void clear_from(std::span<Fr> values, std::size_t first, ThreadPool& pool) {
  constexpr std::size_t kGrain = std::size_t{1} << 14;
  pool.parallel_for(first, values.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    std::ranges::fill(values.subspan(begin, end - begin), Fr::zero());
  });
}

}  // namespace

Evaluations evaluate(const r1cs::Circuit& circuit, const r1cs::Witness& witness, ThreadPool& pool) {
  const std::size_t size = std::size_t{1} << circuit.log2_domain();
  const auto constraints = static_cast<std::size_t>(circuit.constraints());
  Evaluations values{Buffer<Fr>(size), Buffer<Fr>(size), Buffer<Fr>(size)};
  circuit.evaluate(witness, values.a.span(), values.b.span(), values.c.span(), pool);
  for (Buffer<Fr>* const side : {&values.a, &values.b, &values.c}) clear_from(side->span(), constraints, pool);
  return values;
}

Buffer<Fr> quotient_of(const r1cs::Circuit& circuit, const r1cs::Witness& witness, ThreadPool& pool,
                       const Control& control) {
  Span evaluating = control.span("evaluate");
  Evaluations values = evaluate(circuit, witness, pool);
  evaluating.end();
  control.check("proof");
  const Span transforming = control.span("quotient");
  return quotient(Domain(circuit.log2_domain()), std::move(values.a), std::move(values.b), std::move(values.c), pool);
}

}  // namespace cuzk::groth16
