/// A Merkle path as circuits take it.
#pragma once

#include "base/small_arrays.h"
#include "field/fr.h"

namespace cuzk::gadgets {

/// One level. The arity is siblings.size() + 1, a power of two.
struct MerkleStep {
  SmallArray<Fr> siblings;  ///< the other children of the node above, in order
  u32 index = 0;            ///< place of the path's own child among all
};

/// From the leaf's level to the children of the root: levels of the base tree, then of the sub-tree and the top tree
/// where there are such.
using MerklePath = SmallArray<MerkleStep>;

}  // namespace cuzk::gadgets
