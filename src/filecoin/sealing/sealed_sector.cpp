#include "filecoin/sealing/sealed_sector.h"

#include <algorithm>
#include <cstring>

#include "base/error.h"
#include "filecoin/circuits/blank_path.h"
#include "filecoin/sealing/fr32.h"
#include "filecoin/sealing/layers.h"
#include "filecoin/sealing/open_leaf.h"
#include "filecoin/sealing/piece.h"
#include "hash/poseidon_batch.h"

namespace cuzk::filecoin {
namespace {

constexpr std::size_t kGrain = 256;  // nodes of one piece of parallel work

std::vector<Node> data_nodes(const SectorShape& shape, std::span<const u8> piece) {
  if (piece.size() > unpadded_bytes(shape))
    throw invalid_input("the piece has {} bytes, a sector of {} holds at most {}", piece.size(), shape.proof_name,
                        unpadded_bytes(shape));
  const std::vector<u8> padded = fr32_pad(piece);
  std::vector<Node> nodes(shape.nodes());
  if (!padded.empty()) std::memcpy(nodes.data(), padded.data(), padded.size());
  return nodes;
}

const SectorIdentity& checked(const SectorIdentity& identity) {
  check_sealable(*identity.proof.shape);
  return identity;
}

/// make(first, leaves) for runs of nodes, in parallel: the leaves of the nodes from `first` on.
template <class Make>
std::vector<Fr> leaves_of(u64 nodes, ThreadPool& pool, const ProgressCallback& on_progress, const char* stage,
                          Make&& make) {
  std::vector<Fr> leaves(nodes);
  Progress progress(on_progress, stage, nodes);
  pool.parallel_for(0, nodes, kGrain, [&](std::size_t begin, std::size_t end) {
    make(begin, std::span(leaves).subspan(begin, end - begin));
    progress.advance(end - begin);
  });
  return leaves;
}

MerkleTree<PoseidonRule> build_column_tree(const SectorShape& shape, std::span<const std::vector<Node>> layers,
                                           ThreadPool& pool, const ProgressCallback& on_progress) {
  const auto kind = PoseidonKind::merkle(layers.size());
  auto leaves = leaves_of(shape.nodes(), pool, on_progress, "columns", [&](std::size_t first, std::span<Fr> hashes) {
    std::vector<Fr> labels;
    labels.reserve(hashes.size() * layers.size());
    for (std::size_t i = 0; i < hashes.size(); ++i)
      for (const auto& layer : layers) labels.push_back(canonical_element(layer[first + i]));
    poseidon_hashes(kind, labels, hashes);
  });
  return {poseidon_tree_levels(shape), std::move(leaves), pool};
}

MerkleTree<PoseidonRule> build_replica_tree(const SectorShape& shape, std::span<const Node> labels,
                                            std::span<const Node> data, ThreadPool& pool,
                                            const ProgressCallback& on_progress) {
  auto leaves = leaves_of(shape.nodes(), pool, on_progress, "replica", [&](std::size_t first, std::span<Fr> replica) {
    for (std::size_t i = 0; i < replica.size(); ++i)
      replica[i] = canonical_element(labels[first + i]) + canonical_element(data[first + i]);
  });
  return {poseidon_tree_levels(shape), std::move(leaves), pool};
}

}  // namespace

void check_sealable(const SectorShape& shape) {
  if (shape.bytes > kMostSealedBytes)
    throw invalid_input("a sector of {} is not sealed here: at most {} bytes; a sparse sector can be of that size",
                        shape.proof_name, kMostSealedBytes);
}

MerkleTree<Sha256Rule> data_tree_of(const SectorShape& shape, std::span<const u8> piece, ThreadPool& pool) {
  return {TreeShape(shape.log2_nodes(), 2), data_nodes(shape, piece), pool};
}

SealedSector::SealedSector(const SectorIdentity& identity, std::span<const u8> piece, ThreadPool& pool,
                           const ProgressCallback& on_progress)
    : identity_(checked(identity)),
      data_tree_(data_tree_of(*identity.proof.shape, piece, pool)),
      replica_id_(replica_id_of(identity, data_tree_.root())),
      layers_(label_layers(identity.proof, replica_id_, pool, on_progress)),
      column_tree_(build_column_tree(*identity.proof.shape, layers_, pool, on_progress)),
      replica_tree_(build_replica_tree(*identity.proof.shape, layers_.back(), data_tree_.level(0), pool, on_progress)),
      commitments_{replica_id_, data_tree_.root(), column_tree_.root(), replica_tree_.root(),
                   comm_r(column_tree_.root(), replica_tree_.root())} {}

std::vector<Node> SealedSector::column(u64 node) const {
  std::vector<Node> labels;
  for (const auto& layer : layers_) labels.push_back(layer[node]);
  return labels;
}

MerkleOpening SealedSector::open_data(u64 node) const { return open_leaf(data_tree_, node); }
MerkleOpening SealedSector::open_column(u64 node) const { return open_leaf(column_tree_, node); }
MerkleOpening SealedSector::open_replica(u64 node) const { return open_leaf(replica_tree_, node); }

}  // namespace cuzk::filecoin
