/// Sparse sectors for PoRep (see sparse_values.h).
#pragma once

#include <string>
#include <unordered_map>

#include "filecoin/sealing/merkle_tree.h"
#include "filecoin/sealing/porep_sector.h"
#include "filecoin/sealing/sparse_values.h"

namespace cuzk::filecoin {

struct SparsePorepOrder {
  /// Interactive (V1 or V1_1). Challenges of the other variants depend on comm_r, which depends on the labels of the
  /// challenged nodes: such a sector must have nearly all of its labels right before anyone knows which are looked at,
  /// which is sealing it. That there is no other way is what a proof of replication proves.
  SealProof proof;
  std::string seed_text;
  u64 miner_id = kSparseMiner, sector_number = kSparseSector;
  SparseData data = SparseData::zero;
};

/// Immutable. Labels of challenged nodes are the hashes of their parents' labels; all others are random.
class SparsePorep final : public PorepSector {
 public:
  /// About 2 CPU-seconds for 32 GiB. Throws Error{invalid_input} for a variant that cannot be made so.
  SparsePorep(const SparsePorepOrder& order, ThreadPool& pool);

  const SectorIdentity& identity() const override { return identity_; }
  const SectorCommitments& commitments() const override { return commitments_; }
  std::vector<Node> column(u64 node) const override;
  MerkleOpening open_data(u64 node) const override;
  MerkleOpening open_column(u64 node) const override;
  MerkleOpening open_replica(u64 node) const override;

  /// The interactive randomness for which the sector was made: only with it can a request be written.
  const Node& seed() const { return seed_; }

 private:
  using Columns = std::unordered_map<u64, std::vector<Node>>;
  using SparseTree = SparseMerkleTree<PoseidonRule>;

  SparseTree build_column_tree(ThreadPool& pool) const;
  SparseTree build_replica_tree(ThreadPool& pool) const;

  SectorIdentity identity_;
  Node seed_, data_node_;
  SparseMerkleTree<Sha256Rule> data_tree_;
  Node replica_id_;
  std::vector<Node> default_column_;
  Columns columns_;
  SparseTree column_tree_, replica_tree_;
  SectorCommitments commitments_;
};

}  // namespace cuzk::filecoin
