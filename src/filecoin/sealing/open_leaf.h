/// The proof that a leaf is in a tree, from a tree in memory.
#pragma once

#include "filecoin/bincode_merkle.h"
#include "filecoin/sealing/merkle_tree.h"

namespace cuzk::filecoin {

/// A node that is known to be canonical: a digest whose top bits are cleared, or what has been read as one.
inline Fr canonical_element(const Node& node) { return Fr::from_bytes(node).value(); }
inline Fr canonical_element(const Fr& element) { return element; }

/// Tree: any of merkle_tree.h or block_tree.h.
template <class Tree>
MerkleOpening open_leaf(const Tree& tree, u64 leaf) {
  MerkleOpening opening{canonical_element(tree.root()), canonical_element(tree.node(0, leaf)), {}};
  for (const auto& level : path_of(tree, leaf)) {
    gadgets::MerkleStep step{{}, level.index};
    step.siblings.reserve(level.siblings.size());
    for (const auto& sibling : level.siblings) step.siblings.push_back(canonical_element(sibling));
    opening.path.push_back(std::move(step));
  }
  return opening;
}

}  // namespace cuzk::filecoin
