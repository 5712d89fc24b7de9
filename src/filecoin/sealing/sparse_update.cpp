#include "filecoin/sealing/sparse_update.h"

#include "base/error.h"
#include "filecoin/circuits/blank_path.h"
#include "filecoin/sealing/block_tree.h"
#include "filecoin/sealing/sector_update.h"

namespace cuzk::filecoin {
namespace {

using ReplicaTree = BlockMerkleTree<PoseidonRule>;
using DataTree = BlockMerkleTree<Sha256Rule>;

constexpr u64 kDifferentData = 16;  // values of data, of which the parts of the sector take one after the other

}  // namespace

VanillaUpdate sparse_update(const SectorShape& shape, std::string_view seed_text, SparseData data, ThreadPool& pool) {
  if (shape.update.partitions == 0) throw invalid_input("sectors of {} have no updates", shape.proof_name);
  const SparseValues values(seed_text);
  const u64 parts = u64{1} << shape.update.high_bits;
  std::vector<Fr> old_blocks(parts, Fr::zero());
  std::vector<Node> data_blocks(parts);
  for (u64 b = 0; b < parts && data == SparseData::filled; ++b) {
    old_blocks[b] = values.element("replica-old", b, 0);
    data_blocks[b] = values.node("data-new", b % kDifferentData, 0);
  }
  const Fr comm_c = values.element("comm-c", 0, 0);
  const ReplicaTree replica_old(poseidon_tree_levels(shape), old_blocks, pool);
  const DataTree data_new(TreeShape(shape.log2_nodes(), 2), data_blocks, pool);
  const Fr phi = update_phi(canonical_element(data_new.root()), comm_r(comm_c, replica_old.root()));
  const std::vector<Fr> rhos = update_rhos(shape, phi);
  std::vector<Fr> new_blocks;
  for (u64 b = 0; b < parts; ++b) new_blocks.push_back(old_blocks[b] + canonical_element(data_blocks[b]) * rhos[b]);
  const ReplicaTree replica_new(poseidon_tree_levels(shape), new_blocks, pool);
  return open_update(UpdateTrees<ReplicaTree, DataTree>{shape, comm_c, replica_old, data_new, replica_new});
}

}  // namespace cuzk::filecoin
