/// Sector updates (SnapDeals): the new replica, and the vanilla proofs of all partitions.
#pragma once

#include "filecoin/circuits/update.h"
#include "filecoin/replica_id.h"
#include "filecoin/sealing/open_leaf.h"
#include "filecoin/sealing/sealed_sector.h"
#include "filecoin/update_challenges.h"
#include "filecoin/vanilla_update.h"

namespace cuzk::filecoin {

/// rho of each of the equal parts of a sector: 2^h values, h as the network chooses it.
std::vector<Fr> update_rhos(const SectorShape& shape, const Fr& phi);

/// The trees that an update is about. ReplicaTree, DataTree: of merkle_tree.h or block_tree.h.
template <class ReplicaTree, class DataTree>
struct UpdateTrees {
  const SectorShape& shape;
  Fr comm_c;  ///< of the old sector; the new one keeps it
  const ReplicaTree& replica_old;
  const DataTree& data_new;
  const ReplicaTree& replica_new;

  Fr comm_r_old() const { return comm_r(comm_c, replica_old.root()); }
  Fr comm_r_new() const { return comm_r(comm_c, replica_new.root()); }
  Fr comm_d_new() const { return canonical_element(data_new.root()); }
};

template <class ReplicaTree, class DataTree>
VanillaUpdatePartition open_update_partition(const UpdateTrees<ReplicaTree, DataTree>& trees, const Fr& comm_r_new,
                                             u32 partition) {
  const UpdateShape numbers(trees.shape);
  VanillaUpdatePartition result{trees.comm_c, {}, {}};
  const u64 leaves = trees.shape.update.apex_leaves;
  for (u64 i = 0; i < leaves; ++i)
    result.apex_leaves.push_back(
        canonical_element(trees.data_new.node(numbers.bits_below_apex_leaf(), partition * leaves + i)));
  for (const u64 node : update_challenges(trees.shape, comm_r_new, partition))
    result.challenges.push_back(
        {open_leaf(trees.replica_old, node), open_leaf(trees.data_new, node), open_leaf(trees.replica_new, node)});
  return result;
}

/// All partitions.
template <class ReplicaTree, class DataTree>
VanillaUpdate open_update(const UpdateTrees<ReplicaTree, DataTree>& trees) {
  VanillaUpdate update{&trees.shape, trees.comm_r_old(), trees.comm_d_new(), trees.comm_r_new(), {}};
  for (u32 k = 0; k < trees.shape.update.partitions; ++k)
    update.partitions.push_back(open_update_partition(trees, update.comm_r_new, k));
  return update;
}

/// A sealed sector with new data. Immutable; holds 3 times the sector's size.
class UpdatedSector {
 public:
  /// `key`: the sector before; it must outlive this. `piece`: the new data before fr32. Throws Error{invalid_input} for
  /// a piece that does not fit, or a size that has no updates.
  UpdatedSector(const SealedSector& key, std::span<const u8> piece, ThreadPool& pool,
                const ProgressCallback& on_progress = {});

  /// The vanilla proofs of all partitions.
  VanillaUpdate prove() const;

  const MerkleTree<Sha256Rule>& data_tree() const { return data_tree_; }
  /// Its leaves are the new replica.
  const MerkleTree<PoseidonRule>& replica_tree() const { return replica_tree_; }

 private:
  const SealedSector& key_;
  MerkleTree<Sha256Rule> data_tree_;
  MerkleTree<PoseidonRule> replica_tree_;
};

}  // namespace cuzk::filecoin
