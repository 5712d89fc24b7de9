/// Vanilla proofs of spacetime of sectors whose tree R-last is in memory.
#pragma once

#include "filecoin/replica_id.h"
#include "filecoin/sealing/open_leaf.h"
#include "filecoin/sealing/sealed_sector.h"
#include "filecoin/vanilla_post.h"

namespace cuzk::filecoin {

/// Opens one sector at its challenges (post_challenges()). Tree: any of merkle_tree.h or block_tree.h.
template <class Tree>
VanillaPostSector open_post_sector(u64 number, const Fr& comm_c, const Tree& replica_tree,
                                   std::span<const u64> challenges) {
  VanillaPostSector sector{number, comm_r(comm_c, replica_tree.root()), comm_c, replica_tree.root(), {}};
  for (const u64 challenge : challenges) sector.openings.push_back(open_leaf(replica_tree, challenge));
  return sector;
}

/// The proof of sealed sectors of the proof's size, in the order given: the first partitions of a deadline. Throws
/// Error{invalid_input} for a sector of another size, or other than one sector of a winning proof.
VanillaPost prove_post(const PostProof& proof, const Node& randomness, std::span<const SealedSector* const> sectors);

}  // namespace cuzk::filecoin
