/// Sealing of small sectors, all in memory: for development networks and tests, not for storage.
#pragma once

#include <span>
#include <vector>

#include "base/progress.h"
#include "filecoin/sealing/merkle_tree.h"
#include "filecoin/sealing/porep_sector.h"

namespace cuzk::filecoin {

inline constexpr u64 kMostSealedBytes = u64{1} << 30;

/// Throws Error{invalid_input} for sectors above kMostSealedBytes.
void check_sealable(const SectorShape& shape);

/// Immutable. Holds layers + 5 times the sector's size.
class SealedSector final : public PorepSector {
 public:
  /// Seals: labels, columns, replica and all trees. `piece`: the data before fr32, at most 127/128 of the sector's
  /// size; the rest is zeros. 8 MiB take some seconds, 512 MiB some minutes. Throws Error{invalid_input} for sectors
  /// above kMostSealedBytes and pieces that do not fit.
  SealedSector(const SectorIdentity& identity, std::span<const u8> piece, ThreadPool& pool,
               const ProgressCallback& on_progress = {});

  const SectorIdentity& identity() const override { return identity_; }
  const SectorCommitments& commitments() const override { return commitments_; }
  std::vector<Node> column(u64 node) const override;
  MerkleOpening open_data(u64 node) const override;
  MerkleOpening open_column(u64 node) const override;
  MerkleOpening open_replica(u64 node) const override;

  std::span<const Node> layer(u32 number) const { return layers_[number - 1]; }  ///< from 1 on
  const MerkleTree<Sha256Rule>& data_tree() const { return data_tree_; }
  const MerkleTree<PoseidonRule>& column_tree() const { return column_tree_; }
  /// Its leaves are the replica.
  const MerkleTree<PoseidonRule>& replica_tree() const { return replica_tree_; }

 private:
  SectorIdentity identity_;
  MerkleTree<Sha256Rule> data_tree_;
  Node replica_id_;
  std::vector<std::vector<Node>> layers_;
  MerkleTree<PoseidonRule> column_tree_, replica_tree_;
  SectorCommitments commitments_;
};

/// Tree D over a piece, as a sector of that size holds it. Throws Error{invalid_input} for a piece that does not fit.
MerkleTree<Sha256Rule> data_tree_of(const SectorShape& shape, std::span<const u8> piece, ThreadPool& pool);

}  // namespace cuzk::filecoin
