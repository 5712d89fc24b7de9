/// Where a Merkle path leads, computed natively.
#pragma once

#include "field/fr.h"
#include "filecoin/node.h"
#include "gadgets/merkle_path.h"

namespace cuzk::filecoin {

/// Number of the leaf that a path belongs to.
u64 leaf_of(const gadgets::MerklePath& path);

/// The root over a node, in a tree hashed with Poseidon. Indices must be below the arities.
Fr poseidon_root(Fr node, const gadgets::MerklePath& path);

/// The root over a node, in a binary tree hashed with SHA-256.
Node sha256_root(Node node, const gadgets::MerklePath& path);

}  // namespace cuzk::filecoin
