#include "groth16/proof_sums.h"

#include "groth16/query_values.h"
#include "msm/conditional_sum.h"
#include "msm/msm.h"

namespace cuzk::groth16 {
namespace {

/// Bits meet the key as a sum of points, field elements as scalars.
template <class Curve>
Point<Curve> sum_aux(std::span<const AffinePoint<Curve>> points, const r1cs::DenseWitness& values, ThreadPool& pool) {
  return msm::conditional_sum(points, BitSpan(values.ones), pool) +
         msm::multi_scalar_mul_indexed(points, std::span<const u32>(values.indices),
                                       std::span<const Fr>(values.scalars), pool);
}

template <class Curve>
struct QuerySums {
  Point<Curve> inputs, aux;
};

template <class Curve>
QuerySums<Curve> sum_query(std::span<const AffinePoint<Curve>> points, const QueryValues& values, ThreadPool& pool) {
  const std::size_t inputs = values.inputs.size();
  return {.inputs = msm::multi_scalar_mul(points.first(inputs), std::span<const Fr>(values.inputs), pool),
          .aux = sum_aux(points.subspan(inputs), values.aux, pool)};
}

}  // namespace

G1 sum_quotient(const Parameters& key, std::span<const Fr> h, ThreadPool& pool, const Control& control) {
  control.check("proof");
  const Span span = control.span("msm_h");
  return msm::multi_scalar_mul(key.h.span(), h.first(key.h.size()), pool);
}

ProofSums sum_variables(const Parameters& key, const r1cs::Circuit& circuit, const r1cs::Witness& witness, const G1& h,
                        ThreadPool& pool, const Control& control) {
  const auto measured = [&](std::string_view name, auto&& sum) {
    control.check("proof");
    const Span span = control.span(name);
    return sum();
  };
  const G1 l = measured("msm_l", [&] { return sum_aux(key.l.span(), l_values(witness).aux, pool); });
  const auto a = measured("msm_a", [&] { return sum_query(key.a.span(), a_values(circuit, witness), pool); });
  const QueryValues b = b_values(circuit, witness);
  const auto b_g1 = measured("msm_b_g1", [&] { return sum_query(key.b_g1.span(), b, pool); });
  const auto b_g2 = measured("msm_b_g2", [&] { return sum_query(key.b_g2.span(), b, pool); });
  return {.h = h,
          .l = l,
          .a_inputs = a.inputs,
          .a_aux = a.aux,
          .b_g1_inputs = b_g1.inputs,
          .b_g1_aux = b_g1.aux,
          .b_g2_inputs = b_g2.inputs,
          .b_g2_aux = b_g2.aux};
}

Proof assemble(const VerifyingKey& key, const ProofSums& sums, const Blinding& blinding) {
  const Fr& r = blinding.r();
  const Fr& s = blinding.s();
  const G1 a = key.delta_g1 * r + key.alpha_g1 + sums.a_inputs + sums.a_aux;
  const G2 b = key.delta_g2 * s + key.beta_g2 + sums.b_g2_inputs + sums.b_g2_aux;
  const G1 b_g1 = key.delta_g1 * s + key.beta_g1 + sums.b_g1_inputs + sums.b_g1_aux;
  const G1 c = a * s + b_g1 * r - key.delta_g1 * (r * s) + sums.h + sums.l;
  return {.a = a.to_affine(), .b = b.to_affine(), .c = c.to_affine()};
}

}  // namespace cuzk::groth16
