/// The products of a witness with the queries of a key, on a device.
#pragma once

#include <span>

#include "cuda/circuit.h"
#include "cuda/key_points.h"
#include "cuda/queue.h"
#include "cuda/tile_room.h"
#include "cuda/witness.h"
#include "curve/g1.h"
#include "curve/g2.h"
#include "curve/point.h"

namespace cuzk::cuda {

struct ProofPart;

/// The values that meet one query of a key, which lists only some variables: the points whose value is a bit that is 1,
/// and the field elements with the place of their points. Points of inputs come first.
struct QueryValues {
  DeviceBuffer<u32> ones;
  DeviceBuffer<u32> indices;
  DeviceBuffer<Fr::Integer> scalars;  ///< by entry of indices; canonical, so that no window converts them again
};

// Each waits for the device, and throws Error{resource_exhausted}. Memory: 4 bytes for each bit that is 1, 36 for each
// field element.
QueryValues l_values(const Queue& queue, const DeviceWitness& witness);  ///< every auxiliary variable, no input
QueryValues a_values(const Queue& queue, const DeviceCircuit& circuit, const DeviceWitness& witness);
QueryValues b_values(const Queue& queue, const DeviceCircuit& circuit, const DeviceWitness& witness);

/// As much at a time as the tiling says. Waits for the device.
template <class Curve>
Point<Curve> sum_query(const Queue& queue, const KeyPoints<Curve>& points, const QueryValues& values,
                       const Tiling& tiling);

/// The same for the values of several proofs, each tile of the points serving all of them: adds to sums[i] what values[i]
/// meet. What the work on one of them throws is its own failure.
template <class Curve>
void sum_queries(const Queue& queue, const KeyPoints<Curve>& points, std::span<ProofPart> parts,
                 std::span<const QueryValues> values, std::span<Point<Curve>> sums, const Tiling& tiling);

extern template void sum_queries(const Queue&, const KeyPoints<G1Curve>&, std::span<ProofPart>,
                                 std::span<const QueryValues>, std::span<G1>, const Tiling&);
extern template void sum_queries(const Queue&, const KeyPoints<G2Curve>&, std::span<ProofPart>,
                                 std::span<const QueryValues>, std::span<G2>, const Tiling&);
extern template G1 sum_query(const Queue&, const KeyPoints<G1Curve>&, const QueryValues&, const Tiling&);
extern template G2 sum_query(const Queue&, const KeyPoints<G2Curve>&, const QueryValues&, const Tiling&);

}  // namespace cuzk::cuda
