#include "filecoin/sealing/sparse_porep.h"

#include <algorithm>
#include <set>

#include "base/error.h"
#include "filecoin/challenges.h"
#include "filecoin/circuits/blank_path.h"
#include "filecoin/graph.h"
#include "filecoin/labels.h"
#include "filecoin/sealing/open_leaf.h"

namespace cuzk::filecoin {
namespace {

using Columns = std::unordered_map<u64, std::vector<Node>>;

SectorIdentity identity_of(const SparsePorepOrder& order) {
  if (order.proof.variant != SealVariant::v1 && order.proof.variant != SealVariant::v1_1)
    throw invalid_input(
        "{}: a sparse sector cannot be made for it, because its challenges depend on comm_r, so that every node must "
        "be "
        "right; seal a small sector instead (cuzk seal --variant)",
        order.proof.name());
  const SparseValues values(order.seed_text);
  return {order.proof, order.miner_id, order.sector_number, values.raw("ticket", 0, 0)};
}

std::set<u64> challenges_of(const SealProof& proof, const ChallengeSource& source) {
  std::set<u64> nodes;
  for (u32 k = 0; k < proof.challenges().partitions; ++k)
    for (const u64 node : porep_challenges(proof, source, k)) nodes.insert(node);
  return nodes;
}

/// The labels of all challenged nodes and of their parents.
class ColumnMaker {
 public:
  ColumnMaker(const SealProof& proof, const Node& replica_id, const SparseValues& values, std::set<u64> challenged)
      : replica_id_(replica_id), graph_(proof), layers_(proof.shape->layers), challenged_(std::move(challenged)) {
    for (const u64 node : challenged_) {
      columns_[node].resize(layers_);
      for (const u64 parent : graph_.drg_parents(node)) fill(parent, values);
      for (const u64 parent : graph_.expander_parents(node)) fill(parent, values);
    }
  }

  /// Layer by layer, ascending within a layer: a challenged node may be a parent of another one.
  Columns make() {
    for (u32 layer = 1; layer <= layers_; ++layer)
      for (const u64 node : challenged_) columns_[node][layer - 1] = label(node, layer);
    return std::move(columns_);
  }

 private:
  void fill(u64 node, const SparseValues& values) {
    if (challenged_.contains(node) || columns_.contains(node)) return;
    for (u32 layer = 1; layer <= layers_; ++layer) columns_[node].push_back(values.node("label", layer, node));
  }

  Node label(u64 node, u32 layer) const {
    std::vector<Node> parents;
    for (const u64 parent : graph_.drg_parents(node)) parents.push_back(columns_.at(parent)[layer - 1]);
    if (layer > 1)
      for (const u64 parent : graph_.expander_parents(node)) parents.push_back(columns_.at(parent)[layer - 2]);
    return label_of(replica_id_, layer, node, parents);
  }

  Node replica_id_;
  StackedGraph graph_;
  u32 layers_;
  std::set<u64> challenged_;
  Columns columns_;
};

Columns make_columns(const SparsePorepOrder& order, const Node& replica_id, const Node& seed) {
  const auto challenged = challenges_of(order.proof, {replica_id, {}, seed});
  return ColumnMaker(order.proof, replica_id, SparseValues(order.seed_text), challenged).make();
}

Fr column_hash(std::span<const Node> column) {
  std::vector<Fr> labels;
  for (const Node& label : column) labels.push_back(canonical_element(label));
  return poseidon(labels);
}

}  // namespace

SparsePorep::SparsePorep(const SparsePorepOrder& order, ThreadPool& pool)
    : identity_(identity_of(order)),
      seed_(SparseValues(order.seed_text).raw("seed", 0, 0)),
      data_node_(order.data == SparseData::zero ? Node{} : SparseValues(order.seed_text).node("data", 0, 0)),
      data_tree_(TreeShape(order.proof.shape->log2_nodes(), 2), data_node_, {}, pool),
      replica_id_(replica_id_of(identity_, data_tree_.root())),
      default_column_(order.proof.shape->layers, SparseValues(order.seed_text).node("default-label", 0, 0)),
      columns_(make_columns(order, replica_id_, seed_)),
      column_tree_(build_column_tree(pool)),
      replica_tree_(build_replica_tree(pool)),
      commitments_{replica_id_, data_tree_.root(), column_tree_.root(), replica_tree_.root(),
                   comm_r(column_tree_.root(), replica_tree_.root())} {}

SparsePorep::SparseTree SparsePorep::build_column_tree(ThreadPool& pool) const {
  std::unordered_map<u64, Fr> leaves;
  for (const auto& [node, column] : columns_) leaves.emplace(node, column_hash(column));
  return {poseidon_tree_levels(*identity_.proof.shape), column_hash(default_column_), std::move(leaves), pool};
}

SparsePorep::SparseTree SparsePorep::build_replica_tree(ThreadPool& pool) const {
  const Fr data = canonical_element(data_node_);
  std::unordered_map<u64, Fr> leaves;
  for (const auto& [node, column] : columns_) leaves.emplace(node, canonical_element(column.back()) + data);
  return {poseidon_tree_levels(*identity_.proof.shape), canonical_element(default_column_.back()) + data,
          std::move(leaves), pool};
}

std::vector<Node> SparsePorep::column(u64 node) const {
  const auto found = columns_.find(node);
  return found == columns_.end() ? default_column_ : found->second;
}

MerkleOpening SparsePorep::open_data(u64 node) const { return open_leaf(data_tree_, node); }
MerkleOpening SparsePorep::open_column(u64 node) const { return open_leaf(column_tree_, node); }
MerkleOpening SparsePorep::open_replica(u64 node) const { return open_leaf(replica_tree_, node); }

}  // namespace cuzk::filecoin
