/// The products of a witness with the queries of a key, on a device.
#pragma once

#include "cuda/key.h"
#include "cuda/queue.h"
#include "curve/point.h"
#include "groth16/query_values.h"

namespace cuzk::cuda {

/// The values that meet one query of a key, in the device's memory: bits that are 1, and field elements by their place.
/// Places count from the query's first point, so that the values of the inputs come first.
struct QueryValues {
  DeviceBuffer<u64> ones;  ///< a bit for each point that belongs to an auxiliary variable
  DeviceBuffer<u32> indices;
  DeviceBuffer<Fr> scalars;
  std::size_t inputs;  ///< points before those of the auxiliary variables
};

/// Waits until the values are there. Throws Error{resource_exhausted}.
QueryValues upload_values(const Queue& queue, const groth16::QueryValues& values);

/// Waits for the device.
template <class Curve>
Point<Curve> sum_query(const Queue& queue, std::span<const AffinePoint<Curve>> points, const QueryValues& values);

extern template G1 sum_query(const Queue&, std::span<const G1Affine>, const QueryValues&);
extern template G2 sum_query(const Queue&, std::span<const G2Affine>, const QueryValues&);

}  // namespace cuzk::cuda
