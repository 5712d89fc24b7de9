/// Which nodes a PoRep must open, for each variant of seal proofs.
#pragma once

#include <vector>

#include "filecoin/node.h"
#include "filecoin/seal_proof.h"

namespace cuzk::filecoin {

/// What challenges depend on. Interactive: replica_id and seed; non-interactive: replica_id and comm_r; synthetic: all
/// three.
struct ChallengeSource {
  Node replica_id, comm_r, seed;
};

/// The challenged nodes of one partition, each in [1, nodes). Takes microseconds.
std::vector<u64> porep_challenges(const SealProof& proof, const ChallengeSource& source, u32 partition);

/// The set of min(nodes, 2^18) nodes out of which a synthetic PoRep takes its challenges.
std::vector<u64> synthetic_set(const SectorShape& shape, const Node& replica_id, const Node& comm_r);

}  // namespace cuzk::filecoin
