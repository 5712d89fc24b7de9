/// The circuit of a proof of spacetime (storage-proofs-post, "fallback"): each sector's commitment is what it says, and
/// every challenged node is in its tree R-last.
///
/// Public inputs, by sector: comm_r, then the index of each challenged node. The circuit is mostly Poseidon: under 1%
/// of its variables are bits.
#pragma once

#include "base/thread_pool.h"
#include "filecoin/circuits/post_input.h"
#include "filecoin/sector_shape.h"
#include "r1cs/compiler.h"
#include "r1cs/witness_builder.h"

namespace cuzk::filecoin {

/// How many sectors a circuit has and how many challenges each.
struct PostCounts {
  u32 sectors, challenges;
};

/// One sector of 66 challenges, unrolled to 66 sectors of one.
PostCounts winning_counts();
/// One partition of a sector size.
PostCounts window_counts(const SectorShape& shape);

/// Builder: r1cs::Compiler (only the input's shape matters) or r1cs::WitnessBuilder.
template <class Builder>
void synthesize_post(Builder& builder, const PostInput& input);

extern template void synthesize_post(r1cs::Compiler&, const PostInput&);
extern template void synthesize_post(r1cs::WitnessBuilder&, const PostInput&);

/// The circuit of that sector's keys.
r1cs::Circuit compile_post(const SectorShape& shape, PostCounts counts);

/// Public inputs (ONE first) and auxiliary values. Nothing is checked.
r1cs::Witness post_witness(const PostInput& input, std::stop_token stop = {});
/// The same, some sectors at a time by the threads of a pool, which may be one that stops (Error{cancelled}). Memory: that
/// of the witness and, for each thread, twice that of some sectors.
r1cs::Witness post_witness(const PostInput& input, ThreadPool& pool);

}  // namespace cuzk::filecoin
