/// A sector whose nodes a PoRep can open: sealed as a whole (sealed_sector.h), or made only where it is looked at
/// (sparse_porep.h).
#pragma once

#include <vector>

#include "filecoin/bincode_merkle.h"
#include "filecoin/replica_id.h"
#include "filecoin/seal_proof.h"

namespace cuzk::filecoin {

/// What a sector is sealed for.
struct SectorIdentity {
  SealProof proof;
  u64 miner_id = 0, sector_number = 0;
  Node ticket{};
};

struct SectorCommitments {
  Node replica_id{}, comm_d{};
  Fr comm_c, comm_r_last, comm_r;
};

inline Node replica_id_of(const SectorIdentity& identity, const Node& comm_d) {
  return replica_id(prover_id(identity.miner_id), identity.sector_number, identity.ticket, comm_d,
                    identity.proof.porep_id());
}

/// Any number of threads may ask.
class PorepSector {
 public:
  PorepSector() = default;
  PorepSector(const PorepSector&) = delete;
  PorepSector& operator=(const PorepSector&) = delete;
  virtual ~PorepSector() = default;

  virtual const SectorIdentity& identity() const = 0;
  virtual const SectorCommitments& commitments() const = 0;

  /// The node's labels in layers 1, 2, ...
  virtual std::vector<Node> column(u64 node) const = 0;
  virtual MerkleOpening open_data(u64 node) const = 0;     ///< in tree D
  virtual MerkleOpening open_column(u64 node) const = 0;   ///< in tree C
  virtual MerkleOpening open_replica(u64 node) const = 0;  ///< in tree R-last
};

}  // namespace cuzk::filecoin
