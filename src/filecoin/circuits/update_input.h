/// What the circuit of one partition of a sector update (SnapDeals) is about: plain values, taken from a decoded
/// vanilla proof.
#pragma once

#include <vector>

#include "gadgets/merkle_path.h"

namespace cuzk::filecoin {

struct UpdateChallenge {
  Fr leaf_r_old, leaf_d_new;
  gadgets::MerklePath path_r_old, path_r_new;  ///< siblings alone: the places follow from the challenge
  std::vector<Fr> siblings_d_new;              ///< in tree D, from the leaf to below the apex leaf
};

struct UpdateInput {
  u32 partition = 0;
  u32 h_choice = 0;  ///< which of the size's numbers of high bits is taken: h_select is 2^this
  Fr comm_r_old, comm_d_new, comm_r_new;
  Fr comm_c, root_r_old, root_r_new;
  std::vector<Fr> apex_leaves;     ///< the partition's nodes of tree D at one height
  std::vector<Fr> partition_path;  ///< siblings from the partition's apex root to the root of tree D
  std::vector<UpdateChallenge> challenges;
};

}  // namespace cuzk::filecoin
