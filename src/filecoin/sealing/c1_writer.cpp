#include "filecoin/sealing/c1_writer.h"

#include <fmt/format.h>

#include <iterator>

#include "filecoin/base64.h"
#include "filecoin/challenges.h"
#include "filecoin/graph.h"

namespace cuzk::filecoin {
namespace {

using gadgets::MerkleStep;

/// "0" to "255".
const std::array<std::string, 256>& byte_texts() {
  static const std::array<std::string, 256> texts = [] {
    std::array<std::string, 256> made;
    for (std::size_t i = 0; i < made.size(); ++i) made[i] = std::to_string(i);
    return made;
  }();
  return texts;
}

/// Appends the JSON of vanilla proofs, with keys in the order in which the network's implementation has them.
class ProofWriter {
 public:
  ProofWriter(const PorepSector& sector, const StackedGraph& graph)
      : sector_(sector), shape_(*sector.identity().proof.shape), graph_(graph) {}

  std::string partition(std::span<const u64> challenges) {
    list(challenges, [this](u64 node) { challenge(node); });
    return std::move(text_);
  }

 private:
  void challenge(u64 node) {
    const DrgParents drg = graph_.drg_parents(node);
    const ExpanderParents expander = graph_.expander_parents(node);
    text_ += R"({"comm_d_proofs":)";
    merkle_proof(sector_.open_data(node), 1);
    text_ += R"(,"comm_r_last_proof":)";
    merkle_proof(sector_.open_replica(node), segments());
    text_ += R"(,"replica_column_proofs":{"c_x":)";
    column(node);
    text_ += R"(,"drg_parents":)";
    list(drg, [this](u64 parent) { column(parent); });
    text_ += R"(,"exp_parents":)";
    list(expander, [this](u64 parent) { column(parent); });
    text_ += R"(},"labeling_proofs":)";
    labeling_proofs(node, drg, expander);
    text_ += '}';
  }

  /// One for each layer; the last layer's once more as the encoding proof.
  void labeling_proofs(u64 node, const DrgParents& drg, const ExpanderParents& expander) {
    text_ += '[';
    std::size_t last = 0;
    for (u32 layer = 1; layer <= shape_.layers; ++layer) {
      if (layer > 1) text_ += ',';
      last = text_.size();
      labeling_proof(node, layer, parents_of(layer, drg, expander));
    }
    const std::string encoding = text_.substr(last);
    text_ += R"(],"encoding_proof":)" + encoding;
  }

  std::vector<Node> parents_of(u32 layer, const DrgParents& drg, const ExpanderParents& expander) const {
    std::vector<Node> labels;
    for (const u64 parent : drg) labels.push_back(sector_.column(parent)[layer - 1]);
    if (layer > 1)
      for (const u64 parent : expander) labels.push_back(sector_.column(parent)[layer - 2]);
    for (std::size_t i = 0; labels.size() < kHashedParents; ++i) labels.push_back(Node(labels[i]));
    return labels;
  }

  void labeling_proof(u64 node, u32 layer, const std::vector<Node>& parents) {
    text_ += R"({"parents":)";
    list(parents, [this](const Node& label) { bytes(label); });
    fmt::format_to(std::back_inserter(text_), R"(,"layer_index":{},"node":{}}})", layer, node);
  }

  void column(u64 node) {
    fmt::format_to(std::back_inserter(text_), R"({{"column":{{"index":{},"rows":)", node);
    list(sector_.column(node), [this](const Node& label) { bytes(label); });
    text_ += R"(,"_h":null},"inclusion_proof":)";
    merkle_proof(sector_.open_column(node), segments());
    text_ += '}';
  }

  /// Of a path through 1 tree (Single), 2 (Sub) or 3 (Top).
  std::size_t segments() const { return shape_.arities.top != 0 ? 3 : shape_.arities.sub != 0 ? 2 : 1; }

  void merkle_proof(const MerkleOpening& opening, std::size_t segments) {
    const std::span<const MerkleStep> path(opening.path);
    if (segments == 1) {
      text_ += R"({"data":{"Single":{)";
      root_and_leaf(opening);
      text_ += ',';
      named_path("path", path);
    } else {
      const std::size_t base = path.size() - (segments - 1);  // sub and top trees have one level each
      text_ += segments == 2 ? R"({"data":{"Sub":{)" : R"({"data":{"Top":{)";
      named_path("base_proof", path.first(base));
      text_ += ',';
      named_path("sub_proof", path.subspan(base, 1));
      text_ += ',';
      if (segments == 3) {
        named_path("top_proof", path.subspan(base + 1, 1));
        text_ += ',';
      }
      root_and_leaf(opening);
    }
    text_ += "}}}";
  }

  void root_and_leaf(const MerkleOpening& opening) {
    text_ += R"("root":)";
    bytes(opening.root.to_bytes());
    text_ += R"(,"leaf":)";
    bytes(opening.leaf.to_bytes());
  }

  void named_path(std::string_view name, std::span<const MerkleStep> path) {
    fmt::format_to(std::back_inserter(text_), R"("{}":{{"path":)", name);
    list(path, [this](const MerkleStep& step) {
      text_ += R"({"hashes":)";
      list(step.siblings, [this](const Fr& sibling) { bytes(sibling.to_bytes()); });
      fmt::format_to(std::back_inserter(text_), R"(,"index":{}}})", step.index);
    });
    text_ += '}';
  }

  void bytes(const Node& node) {
    list(node, [this](u8 byte) { text_ += byte_texts()[byte]; });
  }

  template <class Items, class Write>
  void list(const Items& items, Write&& write) {
    text_ += '[';
    bool first = true;
    for (const auto& item : items) {
      if (!first) text_ += ',';
      first = false;
      write(item);
    }
    text_ += ']';
  }

  const PorepSector& sector_;
  const SectorShape& shape_;
  const StackedGraph& graph_;
  std::string text_;
};

std::vector<std::string> partitions_of(const PorepSector& sector, const ChallengeSource& source, ThreadPool& pool,
                                       const ProgressCallback& on_progress) {
  const SealProof& proof = sector.identity().proof;
  const StackedGraph graph(proof);
  std::vector<std::string> partitions(proof.challenges().partitions);
  Progress progress(on_progress, "vanilla proofs", partitions.size());
  pool.parallel_for(0, partitions.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      partitions[i] = ProofWriter(sector, graph).partition(porep_challenges(proof, source, static_cast<u32>(i)));
    progress.advance(end - begin);
  });
  return partitions;
}

std::string number_list(const Node& node) { return fmt::format("[{}]", fmt::join(node, ",")); }

}  // namespace

std::string phase1_json(const PorepSector& sector, const Node& seed, ThreadPool& pool,
                        const ProgressCallback& on_progress) {
  const SealProof& proof = sector.identity().proof;
  const SectorCommitments& commitments = sector.commitments();
  const Node comm_r = commitments.comm_r.to_bytes();
  auto partitions = partitions_of(sector, {commitments.replica_id, comm_r, seed}, pool, on_progress);
  std::size_t length = 4096;
  for (const std::string& partition : partitions) length += partition.size() + 1;
  std::string text;
  text.reserve(length);
  text += fmt::format(R"({{"registered_proof":"{}","vanilla_proofs":{{"{}":[)", proof.name(), proof.size_tag());
  for (std::size_t i = 0; i < partitions.size(); ++i) {
    if (i != 0) text += ',';
    text += std::exchange(partitions[i], {});
  }
  text += fmt::format(R"(]}},"comm_r":{},"comm_d":{},"replica_id":{},"seed":{},"ticket":{}}})", number_list(comm_r),
                      number_list(commitments.comm_d), number_list(commitments.replica_id), number_list(seed),
                      number_list(sector.identity().ticket));
  return text;
}

std::string c1_json(const PorepSector& sector, const Node& seed, ThreadPool& pool,
                    const ProgressCallback& on_progress) {
  const std::string phase1 = phase1_json(sector, seed, pool, on_progress);
  const std::string encoded = encode_base64({reinterpret_cast<const u8*>(phase1.data()), phase1.size()});
  const SectorIdentity& identity = sector.identity();
  return fmt::format(R"({{"SectorNum":{},"Phase1Out":"{}","SectorSize":{}}})", identity.sector_number, encoded,
                     identity.proof.shape->bytes);
}

}  // namespace cuzk::filecoin
