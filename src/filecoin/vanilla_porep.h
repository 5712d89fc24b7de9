/// A PoRep request as the prover needs it: what is public, and for each partition the circuit's input.
#pragma once

#include <vector>

#include "filecoin/circuits/porep_input.h"
#include "filecoin/node.h"
#include "filecoin/seal_proof.h"

namespace cuzk::filecoin {

/// All nodes are canonical field elements but for seed and ticket.
struct VanillaPorep {
  SealProof proof;
  u64 sector_number = 0;
  Node comm_r{}, comm_d{}, replica_id{}, seed{}, ticket{};
  std::vector<PorepInput> partitions;  ///< as many, with as many challenges, as `proof` has
};

}  // namespace cuzk::filecoin
