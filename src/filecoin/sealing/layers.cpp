#include "filecoin/sealing/layers.h"

#include <algorithm>

#include "filecoin/labels.h"

namespace cuzk::filecoin {
namespace {

constexpr std::size_t kRun = 1 << 13;  // nodes whose parents are computed at once
constexpr std::size_t kAllParents = kDrgParents + kExpanderParents;
using ParentRow = std::array<u32, kAllParents>;

/// Makes labels of one layer. The hashed message has one length: of it only the node's number and the parents' labels
/// change.
class LayerHasher {
 public:
  LayerHasher(const Node& replica_id, u32 layer) : replica_id_(replica_id), layer_(layer) {
    std::ranges::copy(replica_id, message_.begin());
    for (std::size_t i = 0; i < 4; ++i) message_[32 + i] = static_cast<u8>(layer >> (24 - 8 * i));
    message_[kLength] = 0x80;
    for (std::size_t i = 0; i < 8; ++i) message_[message_.size() - 1 - i] = static_cast<u8>((8 * kLength) >> (8 * i));
  }

  /// `previous`: the layer before; its labels are not looked at in layer 1.
  Node label(u64 node, const ParentRow& parents, std::span<const Node> own, std::span<const Node> previous) {
    if (node == 0) return label_of(replica_id_, layer_, 0, {});
    for (std::size_t i = 0; i < 8; ++i) message_[36 + i] = static_cast<u8>(node >> (56 - 8 * i));
    const std::size_t count = layer_ == 1 ? kDrgParents : kAllParents;
    std::array<const Node*, kAllParents> labels{};
    for (std::size_t i = 0; i < count; ++i) labels[i] = &(i < kDrgParents ? own : previous)[parents[i]];
    for (std::size_t i = 0, parent = 0; i < kHashedParents; ++i) {
      std::copy_n(labels[parent]->begin(), kNodeBytes, message_.begin() + static_cast<std::ptrdiff_t>(64 + 32 * i));
      if (++parent == count) parent = 0;
    }
    Sha256State state = kSha256Initial;
    sha256_compress(state, message_);
    return node_of(state);
  }

 private:
  static constexpr std::size_t kLength = 64 + kHashedParents * kNodeBytes;
  static constexpr std::size_t kPadded = (kLength + 9 + kSha256Block - 1) / kSha256Block * kSha256Block;

  static Node node_of(const Sha256State& state) {
    Node node;
    for (std::size_t i = 0; i < node.size(); ++i) node[i] = static_cast<u8>(state[i / 4] >> (24 - 8 * (i % 4)));
    return clear_top_bits(node);
  }

  Node replica_id_;
  u32 layer_;
  std::array<u8, kPadded> message_{};
};

/// One layer, from run to run of nodes.
class LayerMaker {
 public:
  LayerMaker(const StackedGraph& graph, u64 nodes, const Node& replica_id, u32 layer, std::span<const Node> previous,
             ThreadPool& pool)
      : graph_(graph), previous_(previous), pool_(pool), layer_(layer), hasher_(replica_id, layer), labels_(nodes) {}

  std::vector<Node> make(Progress& progress) {
    std::vector<ParentRow> rows = parents_from(0), next;
    for (std::size_t begin = 0; begin < labels_.size(); begin += kRun) {
      pool_.invoke([&] { label_run(begin, rows); }, [&] { next = parents_from(begin + kRun); });
      progress.advance(rows.size());
      rows.swap(next);
    }
    return std::move(labels_);
  }

 private:
  std::vector<ParentRow> parents_from(std::size_t begin) {
    const std::size_t end = std::min(begin + kRun, labels_.size());
    std::vector<ParentRow> rows(begin < end ? end - begin : 0);
    pool_.parallel_for(0, rows.size(), 256, [&](std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i) rows[i] = parents_of(begin + i);
    });
    return rows;
  }

  ParentRow parents_of(u64 node) const {
    ParentRow row{};
    const auto narrow = [](u64 parent) { return static_cast<u32>(parent); };
    std::ranges::transform(graph_.drg_parents(node), row.begin(), narrow);
    if (layer_ > 1) std::ranges::transform(graph_.expander_parents(node), row.begin() + kDrgParents, narrow);
    return row;
  }

  void label_run(std::size_t begin, std::span<const ParentRow> rows) {
    for (std::size_t i = 0; i < rows.size(); ++i)
      labels_[begin + i] = hasher_.label(begin + i, rows[i], labels_, previous_);
  }

  const StackedGraph& graph_;
  std::span<const Node> previous_;
  ThreadPool& pool_;
  u32 layer_;
  LayerHasher hasher_;
  std::vector<Node> labels_;
};

}  // namespace

std::vector<std::vector<Node>> label_layers(const SealProof& proof, const Node& replica_id, ThreadPool& pool,
                                            const ProgressCallback& on_progress) {
  const StackedGraph graph = StackedGraph(proof).tabulated();
  const u64 nodes = proof.shape->nodes();
  Progress progress(on_progress, "labels", nodes * proof.shape->layers);
  std::vector<std::vector<Node>> layers;
  for (u32 layer = 1; layer <= proof.shape->layers; ++layer) {
    const std::span<const Node> previous =
        layers.empty() ? std::span<const Node>() : std::span<const Node>(layers.back());
    layers.push_back(LayerMaker(graph, nodes, replica_id, layer, previous, pool).make(progress));
  }
  return layers;
}

}  // namespace cuzk::filecoin
