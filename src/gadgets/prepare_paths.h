/// Merkle paths through Poseidon trees, climbed together before the circuit comes to them.
#pragma once

#include <span>
#include <vector>

#include "gadgets/merkle_path.h"
#include "gadgets/number.h"

namespace cuzk::gadgets {

/// The hashes of a path follow each other in the circuit.
struct PreparedPath {
  Fr leaf;
  const MerklePath* path;  ///< not owned
  std::size_t place;       ///< of its first hash, after builder.prepared().expect(...)
};

/// Computes the hashes of all paths ahead, level by level. All paths have the same arities. What index a step names
/// above its arity is taken modulo it, as the circuit's bits do.
void prepare_paths(WitnessBuilder& builder, std::span<const PreparedPath> paths);

}  // namespace cuzk::gadgets
