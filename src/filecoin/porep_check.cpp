#include "filecoin/porep_check.h"

#include <algorithm>

#include "base/error.h"
#include "base/hex.h"
#include "filecoin/challenges.h"
#include "filecoin/check_each.h"
#include "filecoin/circuits/porep_labels.h"
#include "filecoin/graph.h"
#include "filecoin/replica_id.h"

namespace cuzk::filecoin {
namespace {

using gadgets::MerklePath;

/// Where everything leads that one challenge opens with a path in a Poseidon tree.
struct ChallengeRoots {
  std::span<const Fr> drg_columns, expander_columns;
  Fr own_column, replica;
};

/// The Poseidon hashes of all challenges of a partition: columns and their paths in tree C, replicas' paths in R-last.
class PartitionRoots {
 public:
  PartitionRoots(const VanillaPorep& porep, const PorepInput& input, Hashing hashing) : input_(input) {
    for (const PorepChallenge& challenge : input.challenges)
      labels_.push_back(challenge_labels(porep.replica_id, challenge));
    const std::vector<Fr> columns = poseidon_hashes(porep.proof.shape->layers, rows(), hashing);
    roots_ = poseidon_roots(paths_over(columns), hashing);
  }

  ChallengeRoots of(std::size_t challenge) const {
    const auto columns = std::span(roots_).subspan(challenge * kColumns, kColumns);
    return {columns.first(kDrgParents), columns.subspan(kDrgParents, kExpanderParents), columns.back(),
            roots_[labels_.size() * kColumns + challenge]};
  }

 private:
  static constexpr std::size_t kColumns = kDrgParents + kExpanderParents + 1;  // of a challenge, its own last

  std::vector<Fr> rows() const {
    std::vector<Fr> all;
    const auto append = [&](std::span<const Fr> rows) { all.insert(all.end(), rows.begin(), rows.end()); };
    for (std::size_t i = 0; i < labels_.size(); ++i) {
      for (const PorepColumn& column : input_.challenges[i].drg_parents) append(column.rows);
      for (const PorepColumn& column : input_.challenges[i].expander_parents) append(column.rows);
      append(labels_[i]);
    }
    return all;
  }

  std::vector<PathUp> paths_over(std::span<const Fr> columns) const {
    std::vector<PathUp> paths;
    const auto add = [&](const Fr& node, const MerklePath& path) { paths.push_back({node, leaf_of(path), &path}); };
    const auto add_column = [&](const MerklePath& path) { add(columns[paths.size()], path); };
    for (const PorepChallenge& challenge : input_.challenges) {
      for (const PorepColumn& column : challenge.drg_parents) add_column(column.path);
      for (const PorepColumn& column : challenge.expander_parents) add_column(column.path);
      add_column(challenge.column_path);
    }
    for (std::size_t i = 0; i < labels_.size(); ++i)
      add(labels_[i].back() + input_.challenges[i].data_leaf, input_.challenges[i].replica_path);
    return paths;
  }

  const PorepInput& input_;
  std::vector<std::vector<Fr>> labels_;  // of each challenge
  std::vector<Fr> roots_;                // of each challenge's columns, then of each challenge's replica
};

/// One challenge of a partition, checked.
class ChallengeCheck {
 public:
  ChallengeCheck(const VanillaPorep& porep, u32 partition, std::size_t number, const ChallengeRoots& roots)
      : porep_(porep),
        input_(porep.partitions[partition]),
        challenge_(input_.challenges[number]),
        roots_(roots),
        name_(fmt::format("partition {} challenge {} (node {})", partition, number, challenge_.node)) {}

  void run(u64 expected_node, const StackedGraph& graph) const {
    if (challenge_.node != expected_node) fail("the node", fmt::format("is not the challenge {}", expected_node));
    check_places(graph);
    check_data();
    check_columns("DRG", challenge_.drg_parents, roots_.drg_columns);
    check_columns("expander", challenge_.expander_parents, roots_.expander_columns);
    check_own_column();
  }

 private:
  [[noreturn]] void fail(std::string_view what, std::string_view fault) const {
    throw invalid_input("{}: {} {}", name_, what, fault);
  }

  void check_place(std::string_view what, const MerklePath& path, u64 expected) const {
    const u64 leaf = leaf_of(path);
    if (leaf != expected) fail(what, fmt::format("belongs to node {}, expected node {}", leaf, expected));
  }

  void check_places(const StackedGraph& graph) const {
    check_place("the path in tree D", challenge_.data_path, challenge_.node);
    check_place("the path in tree R-last", challenge_.replica_path, challenge_.node);
    check_place("the path in tree C", challenge_.column_path, challenge_.node);
    const DrgParents drg = graph.drg_parents(challenge_.node);
    for (std::size_t i = 0; i < drg.size(); ++i)
      check_place(fmt::format("DRG parent {}", i), challenge_.drg_parents[i].path, drg[i]);
    const ExpanderParents expander = graph.expander_parents(challenge_.node);
    for (std::size_t i = 0; i < expander.size(); ++i)
      check_place(fmt::format("expander parent {}", i), challenge_.expander_parents[i].path, expander[i]);
  }

  void check_data() const {
    if (sha256_root(challenge_.data_leaf.to_bytes(), challenge_.node, challenge_.data_path) != porep_.comm_d)
      fail("the path in tree D", "does not lead to comm_d");
  }

  void check_columns(std::string_view kind, std::span<const PorepColumn> columns, std::span<const Fr> roots) const {
    for (std::size_t i = 0; i < columns.size(); ++i)
      if (!(roots[i] == input_.comm_c))
        fail(fmt::format("the column of {} parent {} (node {})", kind, i, leaf_of(columns[i].path)),
             "and its path do not lead to comm_c" + layer_that_differs());
  }

  void check_own_column() const {
    if (!(roots_.own_column == input_.comm_c))
      fail(fmt::format("the labels of layers 1 to {}, made of the parents' labels,", porep_.proof.shape->layers),
           "and the path in tree C do not lead to comm_c" + layer_that_differs());
    if (!(roots_.replica == input_.comm_r_last))
      fail("the encoded node and its path in tree R-last", "do not lead to comm_r_last");
  }

  /// Of a column that is wrong somewhere: the first layer in which the label that follows from the parents' is not the
  /// one that the request states, as the end of a message.
  std::string layer_that_differs() const {
    const auto labels = challenge_labels(porep_.replica_id, challenge_);
    const auto& stated = challenge_.stated_labels;
    for (std::size_t i = 0; i < std::min(labels.size(), stated.size()); ++i)
      if (labels[i].to_bytes() != stated[i])
        return fmt::format("; layer {}: the parents' labels do not give the node's label", i + 1);
    return "";
  }

  const VanillaPorep& porep_;
  const PorepInput& input_;
  const PorepChallenge& challenge_;
  const ChallengeRoots roots_;
  std::string name_;
};

}  // namespace

void check_replica_id(const VanillaPorep& porep, u64 miner_id) {
  const Node expected =
      replica_id(prover_id(miner_id), porep.sector_number, porep.ticket, porep.comm_d, porep.proof.porep_id());
  if (porep.replica_id != expected)
    throw invalid_input("replica_id is {}, but that of miner {}, sector {}, {} with this ticket and comm_d is {}",
                        to_hex(porep.replica_id), miner_id, porep.sector_number, porep.proof.name(), to_hex(expected));
}

void check_porep_partition(const VanillaPorep& porep, u32 partition, Hashing hashing) {
  const PorepInput& input = porep.partitions[partition];
  if (!(comm_r(input.comm_c, input.comm_r_last) == input.comm_r))
    throw invalid_input("partition {}: comm_r is not the hash of the roots of trees C and R-last", partition);
  const auto nodes = porep_challenges(porep.proof, {porep.replica_id, porep.comm_r, porep.seed}, partition);
  const StackedGraph graph(porep.proof);
  const PartitionRoots roots(porep, input, hashing);
  for (std::size_t i = 0; i < nodes.size(); ++i) ChallengeCheck(porep, partition, i, roots.of(i)).run(nodes[i], graph);
}

void check_porep_partitions(const VanillaPorep& porep, ThreadPool& pool, Hashing hashing) {
  check_each(pool, porep.partitions.size(),
             [&](std::size_t i) { check_porep_partition(porep, static_cast<u32>(i), hashing); });
}

void check_porep(const VanillaPorep& porep, u64 miner_id, ThreadPool& pool, Hashing hashing) {
  check_replica_id(porep, miner_id);
  check_porep_partitions(porep, pool, hashing);
}

}  // namespace cuzk::filecoin
