#include "groth16/proof_sums.h"

#include "groth16/aux_sum.h"
#include "groth16/query_values.h"
#include "msm/msm.h"

namespace cuzk::groth16 {
namespace {

struct Work {
  ThreadPool& pool;
  const Control& control;
};

/// Over the points from `begin` on.
template <class Curve>
Point<Curve> sum_aux(const PointVector<AffinePoint<Curve>>& points, std::size_t begin, const r1cs::DenseWitness& values,
                     const Work& work) {
  AuxSum<Curve> sum(values, work.pool);
  points.for_each_block(begin, points.size(), BlockSize::small, work.pool, work.control,
                        [&](std::size_t first, auto block) { sum.add(first - begin, block); });
  return sum.finish();
}

/// Over scalars.size() points from the first on.
template <class Curve>
Point<Curve> sum_scalars(const PointVector<AffinePoint<Curve>>& points, std::span<const Fr> scalars, const Work& work) {
  Point<Curve> sum = Point<Curve>::infinity();
  points.for_each_block(0, scalars.size(), BlockSize::large, work.pool, work.control,
                        [&](std::size_t first, auto block) {
                          sum += msm::multi_scalar_mul(block, scalars.subspan(first, block.size()), work.pool);
                        });
  return sum;
}

template <class Curve>
struct QuerySums {
  Point<Curve> inputs, aux;
};

template <class Affine>
QuerySums<typename Affine::Curve> sum_query(const PointVector<Affine>& points, const QueryValues& values,
                                            const Work& work) {
  using Curve = typename Affine::Curve;
  return {.inputs = sum_scalars<Curve>(points, values.inputs, work),
          .aux = sum_aux<Curve>(points, values.inputs.size(), values.aux, work)};
}

}  // namespace

G1 sum_quotient(const KeyPoints& key, std::span<const Fr> h, ThreadPool& pool, const Control& control) {
  control.check("proof");
  const Span span = control.span("msm_h");
  return sum_scalars<G1Curve>(key.h(), h.first(key.h().size()), {pool, control});
}

ProofSums sum_variables(const KeyPoints& key, const r1cs::Circuit& circuit, const r1cs::Witness& witness, const G1& h,
                        ThreadPool& pool, const Control& control) {
  const auto measured = [&](std::string_view name, auto&& sum) {
    control.check("proof");
    const Span span = control.span(name);
    return sum();
  };
  const Work work{pool, control};
  const G1 l = measured("msm_l", [&] { return sum_aux<G1Curve>(key.l(), 0, l_values(witness).aux, work); });
  const auto a = measured("msm_a", [&] { return sum_query(key.a(), a_values(circuit, witness), work); });
  const QueryValues b = b_values(circuit, witness);
  const auto b_g1 = measured("msm_b_g1", [&] { return sum_query(key.b_g1(), b, work); });
  const auto b_g2 = measured("msm_b_g2", [&] { return sum_query(key.b_g2(), b, work); });
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
