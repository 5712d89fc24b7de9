/// Proofs that a leaf is in a Merkle tree of a given root.
///
/// A level allocates the bits of the node's index among its brothers, then the siblings, puts the node among them
/// (gadgets/insertion.h) and hashes. A path may mix arities: base tree, sub-tree, top tree.
/// The functions are written once; they exist for Compiler (values do not matter, the path's shape does) and for
/// WitnessBuilder.
#pragma once

#include <vector>

#include "gadgets/merkle_path.h"
#include "gadgets/number.h"

namespace cuzk::gadgets {

enum class TreeHash {
  poseidon,  ///< of the level's arity
  sha256,    ///< binary; the two top bits of the last byte are cleared
};

template <class Builder>
struct MerkleRoot {
  typename Builder::Number root;
  typename Builder::Bits index;  ///< of the leaf among all, least significant first
};

/// Climbs from the leaf to the root, making the path's variables.
template <class Builder>
MerkleRoot<Builder> merkle_root(Builder& builder, const typename Builder::Number& leaf, const MerklePath& path,
                                TreeHash hash);

/// The leaf is at the end of that path from the root. The leaf's index becomes a public input, after the hashes.
template <class Builder>
void por(Builder& builder, const typename Builder::Number& leaf, const typename Builder::Number& root,
         const MerklePath& path, TreeHash hash);

/// The leaf is at an index given by bits that are there already, as are the siblings of all levels.
template <class Builder>
void por_at(Builder& builder, const typename Builder::Number& leaf, const typename Builder::Number& root,
            const typename Builder::Bits& index, const std::vector<std::vector<typename Builder::Number>>& siblings,
            TreeHash hash);

extern template MerkleRoot<Compiler> merkle_root(Compiler&, const Signal&, const MerklePath&, TreeHash);
extern template MerkleRoot<WitnessBuilder> merkle_root(WitnessBuilder&, const Fr&, const MerklePath&, TreeHash);
extern template void por(Compiler&, const Signal&, const Signal&, const MerklePath&, TreeHash);
extern template void por(WitnessBuilder&, const Fr&, const Fr&, const MerklePath&, TreeHash);
extern template void por_at(Compiler&, const Signal&, const Signal&, const std::vector<Signal>&,
                            const std::vector<std::vector<Signal>>&, TreeHash);
extern template void por_at(WitnessBuilder&, const Fr&, const Fr&, const BitString&,
                            const std::vector<std::vector<Fr>>&, TreeHash);

}  // namespace cuzk::gadgets
