#include "filecoin/sealing/sector_update.h"

#include "base/error.h"

namespace cuzk::filecoin {
namespace {

const SectorShape& updatable(const SectorShape& shape) {
  if (shape.update.partitions == 0) throw invalid_input("sectors of {} have no updates", shape.proof_name);
  return shape;
}

MerkleTree<PoseidonRule> build_new_replica(const SealedSector& key, const MerkleTree<Sha256Rule>& data,
                                           ThreadPool& pool, const ProgressCallback& on_progress) {
  const SectorShape& shape = *key.identity().proof.shape;
  const Fr phi = update_phi(canonical_element(data.root()), key.commitments().comm_r);
  const std::vector<Fr> rhos = update_rhos(shape, phi);
  const std::span<const Fr> old = key.replica_tree().level(0);
  const std::span<const Node> nodes = data.level(0);
  std::vector<Fr> replica(old.size());
  Progress progress(on_progress, "new replica", replica.size());
  pool.parallel_for(0, replica.size(), 256, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      replica[i] = old[i] + canonical_element(nodes[i]) * rhos[high_bits_of(shape, i, shape.update.high_bits)];
    progress.advance(end - begin);
  });
  return {key.replica_tree().shape(), std::move(replica), pool};
}

}  // namespace

std::vector<Fr> update_rhos(const SectorShape& shape, const Fr& phi) {
  std::vector<Fr> rhos;
  for (u64 high = 0; high < u64{1} << shape.update.high_bits; ++high) rhos.push_back(update_rho(phi, high));
  return rhos;
}

UpdatedSector::UpdatedSector(const SealedSector& key, std::span<const u8> piece, ThreadPool& pool,
                             const ProgressCallback& on_progress)
    : key_(key),
      data_tree_(data_tree_of(updatable(*key.identity().proof.shape), piece, pool)),
      replica_tree_(build_new_replica(key, data_tree_, pool, on_progress)) {}

VanillaUpdate UpdatedSector::prove() const {
  const UpdateTrees<MerkleTree<PoseidonRule>, MerkleTree<Sha256Rule>> trees{
      *key_.identity().proof.shape, key_.commitments().comm_c, key_.replica_tree(), data_tree_, replica_tree_};
  return open_update(trees);
}

}  // namespace cuzk::filecoin
