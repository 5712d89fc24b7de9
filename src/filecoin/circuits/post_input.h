/// What the circuit of WinningPoSt and WindowPoSt is about: plain values, taken from decoded vanilla proofs.
#pragma once

#include <vector>

#include "gadgets/merkle_path.h"

namespace cuzk::filecoin {

/// One sector. WinningPoSt has 66 of them with one challenge each, WindowPoSt as many as a partition holds with ten.
struct PostSector {
  Fr comm_r, comm_c, comm_r_last;
  std::vector<Fr> leaves;                         ///< challenged nodes of the replica
  std::vector<const gadgets::MerklePath*> paths;  ///< theirs in tree R-last, in the same order; not owned
};

/// The paths of a partition take half a gigabyte, so they stay in the proofs that were decoded, which must live as long.
struct PostInput {
  std::vector<PostSector> sectors;
};

}  // namespace cuzk::filecoin
