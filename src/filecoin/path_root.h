/// Where Merkle paths lead, computed natively.
#pragma once

#include <span>
#include <vector>

#include "field/fr.h"
#include "filecoin/node.h"
#include "gadgets/merkle_path.h"

namespace cuzk::filecoin {

/// Number of the leaf that a path belongs to.
u64 leaf_of(const gadgets::MerklePath& path);

/// How the Poseidon hashes of a check are computed. The values are the same.
enum class Hashing {
  together,    ///< all that do not depend on each other, eight side by side (hash/poseidon_batch.h)
  one_by_one,  ///< in the order in which they are asked for: the reference of the tests
};

/// Hashes of `arity` elements each, with the tag of trees. Inputs stand one hash after another.
std::vector<Fr> poseidon_hashes(std::size_t arity, std::span<const Fr> inputs, Hashing hashing);

/// A node and its path in a tree hashed with Poseidon.
struct PathUp {
  Fr node;
  u64 leaf;                         ///< number of the node; says the places, whatever indices the path has
  const gadgets::MerklePath* path;  ///< not owned
};

/// The roots over all nodes. All paths must have the same arities. Together, the paths climb level by level.
std::vector<Fr> poseidon_roots(std::span<const PathUp> paths, Hashing hashing);

/// The root over leaf number `leaf`, in a binary tree hashed with SHA-256. The path's indices are not looked at.
Node sha256_root(Node node, u64 leaf, std::span<const gadgets::MerkleStep> path);

}  // namespace cuzk::filecoin
