/// The circuit of one partition of a sector update (SnapDeals, FIP-0019; storage-proofs-update): the new replica is the
/// old one plus data times rho at every challenged node, and all three trees are the committed ones.
///
/// Public inputs: partition | h_select << partition bits; comm_r_old; comm_d_new; comm_r_new.
#pragma once

#include "filecoin/circuits/update_input.h"
#include "filecoin/sector_shape.h"
#include "r1cs/compiler.h"
#include "r1cs/witness_builder.h"

namespace cuzk::filecoin {

/// The numbers of a sector size that the constraints depend on.
struct UpdateShape {
  unsigned challenge_bits;   ///< log2 of the sector's nodes
  unsigned partition_bits;   ///< log2 of the number of partitions
  unsigned apex_leaf_bits;   ///< log2 of the apex leaves of a partition
  std::vector<unsigned> hs;  ///< the numbers of high bits among which h_select chooses

  explicit UpdateShape(const SectorShape& shape);

  unsigned bits_below_apex_leaf() const { return challenge_bits - partition_bits - apex_leaf_bits; }
};

/// Builder: r1cs::Compiler (only the input's shape matters) or r1cs::WitnessBuilder.
template <class Builder>
void synthesize_update(Builder& builder, const UpdateShape& shape, const UpdateInput& input);

extern template void synthesize_update(r1cs::Compiler&, const UpdateShape&, const UpdateInput&);
extern template void synthesize_update(r1cs::WitnessBuilder&, const UpdateShape&, const UpdateInput&);

/// The circuit of that sector's keys.
r1cs::Circuit compile_update(const SectorShape& shape);

/// Public inputs (ONE first) and auxiliary values. Nothing is checked.
r1cs::Witness update_witness(const SectorShape& shape, const UpdateInput& input, std::stop_token stop = {});

}  // namespace cuzk::filecoin
