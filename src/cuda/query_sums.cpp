#include "cuda/query_sums.h"

#include <numeric>
#include <utility>
#include <vector>

#include "cuda/conditional_sum.h"
#include "cuda/msm.h"

namespace cuzk::cuda {
namespace {

/// Places of the inputs, then those of the auxiliary variables behind them.
std::vector<u32> places_of(const groth16::QueryValues& values) {
  const auto inputs = static_cast<u32>(values.inputs.size());
  std::vector<u32> places(inputs);
  std::iota(places.begin(), places.end(), 0U);
  places.reserve(inputs + values.aux.indices.size());
  for (const u32 index : values.aux.indices) places.push_back(inputs + index);
  return places;
}

}  // namespace

QueryValues upload_values(const Queue& queue, const groth16::QueryValues& values) {
  const std::vector<u32> places = places_of(values);
  const std::size_t inputs = values.inputs.size();
  DeviceBuffer<Fr> scalars(queue.memory, places.size());
  copy(scalars.span().first(inputs), values.inputs, queue.stream);
  copy(scalars.span().subspan(inputs), values.aux.scalars, queue.stream);
  QueryValues uploaded{upload<u64>(queue.memory, values.aux.ones.words(), queue.stream),
                       upload<u32>(queue.memory, places, queue.stream), std::move(scalars), inputs};
  queue.stream.synchronize();  // the host's copies end here
  return uploaded;
}

template <class Curve>
Point<Curve> sum_query(const Queue& queue, std::span<const AffinePoint<Curve>> points, const QueryValues& values) {
  return conditional_sum<Curve>(queue, points.subspan(values.inputs), values.ones.span()) +
         multi_scalar_mul_indexed<Curve>(queue, points, values.indices.span(), values.scalars.span());
}

template G1 sum_query(const Queue&, std::span<const G1Affine>, const QueryValues&);
template G2 sum_query(const Queue&, std::span<const G2Affine>, const QueryValues&);

}  // namespace cuzk::cuda
