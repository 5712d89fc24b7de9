#include "cuda/query_sums.h"

#include <numeric>
#include <vector>

#include "cuda/conditional_sum.h"
#include "cuda/msm.h"
#include "cuda/query_lists.h"

namespace cuzk::cuda {

QueryValues l_values(const Queue& queue, const DeviceWitness& witness) {
  return list_values(queue, witness, nullptr, {});
}

QueryValues a_values(const Queue& queue, const DeviceCircuit& circuit, const DeviceWitness& witness) {
  std::vector<u32> inputs(circuit.inputs());
  std::iota(inputs.begin(), inputs.end(), 0U);
  return list_values(queue, witness, &circuit.a_aux(), inputs);
}

QueryValues b_values(const Queue& queue, const DeviceCircuit& circuit, const DeviceWitness& witness) {
  return list_values(queue, witness, &circuit.b_aux(), circuit.b_inputs());
}

template <class Curve>
Point<Curve> sum_query(const Queue& queue, std::span<const AffinePoint<Curve>> points, const QueryValues& values) {
  return listed_sum<Curve>(queue, points, values.ones.span()) +
         multi_scalar_mul_indexed<Curve>(queue, points, values.indices.span(), values.scalars.span());
}

template G1 sum_query(const Queue&, std::span<const G1Affine>, const QueryValues&);
template G2 sum_query(const Queue&, std::span<const G2Affine>, const QueryValues&);

}  // namespace cuzk::cuda
