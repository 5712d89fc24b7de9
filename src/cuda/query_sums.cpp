#include "cuda/query_sums.h"

#include "cuda/conditional_sum.h"
#include "cuda/msm.h"

namespace cuzk::cuda {
namespace {

template <class T>
DeviceBuffer<T> upload(const Queue& queue, const std::vector<T>& host) {
  DeviceBuffer<T> buffer(queue.memory, host.size());
  buffer.copy_from(host, queue.stream);
  return buffer;
}

}  // namespace

QueryValues upload_values(const Queue& queue, const std::vector<Fr>& inputs, const r1cs::DenseWitness& aux) {
  std::vector<u32> indices;
  std::vector<Fr> scalars(inputs);
  indices.reserve(inputs.size() + aux.indices.size());
  for (u32 i = 0; i < inputs.size(); ++i) indices.push_back(i);
  for (const u32 index : aux.indices) indices.push_back(index + static_cast<u32>(inputs.size()));
  scalars.insert(scalars.end(), aux.scalars.begin(), aux.scalars.end());
  QueryValues values{upload(queue, aux.ones.words()), upload(queue, indices), upload(queue, scalars), inputs.size()};
  queue.stream.synchronize();  // the host's copies end here
  return values;
}

template <class Curve>
Point<Curve> sum_query(const Queue& queue, std::span<const AffinePoint<Curve>> points, const QueryValues& values) {
  return conditional_sum<Curve>(queue, points.subspan(values.inputs), values.ones.span()) +
         multi_scalar_mul_indexed<Curve>(queue, points, values.indices.span(), values.scalars.span());
}

template G1 sum_query(const Queue&, std::span<const G1Affine>, const QueryValues&);
template G2 sum_query(const Queue&, std::span<const G2Affine>, const QueryValues&);

}  // namespace cuzk::cuda
