/// Merkle paths of a sector's trees without values: what a circuit is compiled from.
#pragma once

#include <span>
#include <vector>

#include "filecoin/sector_shape.h"
#include "gadgets/merkle_path.h"

namespace cuzk::filecoin {

/// All values 0; one level for each arity, from the leaves up.
inline gadgets::MerklePath blank_path(std::span<const u32> arities) {
  gadgets::MerklePath path;
  for (const u32 arity : arities) path.push_back({SmallArray<Fr>(arity - 1, Fr::zero()), 0});
  return path;
}

/// Children of the nodes of each level of trees C and R-last, from the leaves up.
inline std::vector<u32> poseidon_tree_levels(const SectorShape& shape) {
  std::vector<u32> arities(shape.base_levels(), shape.arities.base);
  if (shape.arities.sub > 0) arities.push_back(shape.arities.sub);
  if (shape.arities.top > 0) arities.push_back(shape.arities.top);
  return arities;
}

}  // namespace cuzk::filecoin
