#include "filecoin/porep_check.h"

#include <algorithm>

#include "base/error.h"
#include "base/hex.h"
#include "filecoin/challenges.h"
#include "filecoin/circuits/porep_labels.h"
#include "filecoin/graph.h"
#include "filecoin/path_root.h"
#include "filecoin/replica_id.h"
#include "hash/poseidon.h"

namespace cuzk::filecoin {
namespace {

using gadgets::MerklePath;

/// One challenge of a partition, checked.
class ChallengeCheck {
 public:
  ChallengeCheck(const VanillaPorep& porep, u32 partition, std::size_t number)
      : porep_(porep),
        input_(porep.partitions[partition]),
        challenge_(input_.challenges[number]),
        name_(fmt::format("partition {} challenge {} (node {})", partition, number, challenge_.node)) {}

  void run(u64 expected_node, const StackedGraph& graph) const {
    if (challenge_.node != expected_node) fail("the node", fmt::format("is not the challenge {}", expected_node));
    check_places(graph);
    check_data();
    check_columns("DRG", challenge_.drg_parents);
    check_columns("expander", challenge_.expander_parents);
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
    if (sha256_root(challenge_.data_leaf.to_bytes(), challenge_.data_path) != porep_.comm_d)
      fail("the path in tree D", "does not lead to comm_d");
  }

  void check_columns(std::string_view kind, std::span<const PorepColumn> columns) const {
    for (std::size_t i = 0; i < columns.size(); ++i)
      if (!(poseidon_root(poseidon(columns[i].rows), columns[i].path) == input_.comm_c))
        fail(fmt::format("the column of {} parent {} (node {})", kind, i, leaf_of(columns[i].path)),
             "and its path do not lead to comm_c");
  }

  void check_own_column() const {
    const std::vector<Fr> labels = challenge_labels(porep_.replica_id, challenge_);
    if (!(poseidon_root(poseidon(labels), challenge_.column_path) == input_.comm_c))
      fail(fmt::format("the labels of layers 1 to {}, made of the parents' labels,", labels.size()),
           "and the path in tree C do not lead to comm_c");
    const Fr replica = labels.back() + challenge_.data_leaf;
    if (!(poseidon_root(replica, challenge_.replica_path) == input_.comm_r_last))
      fail("the encoded node and its path in tree R-last", "do not lead to comm_r_last");
  }

  const VanillaPorep& porep_;
  const PorepInput& input_;
  const PorepChallenge& challenge_;
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

void check_porep_partition(const VanillaPorep& porep, u32 partition) {
  const PorepInput& input = porep.partitions[partition];
  if (!(comm_r(input.comm_c, input.comm_r_last) == input.comm_r))
    throw invalid_input("partition {}: comm_r is not the hash of the roots of trees C and R-last", partition);
  const auto nodes = porep_challenges(porep.proof, {porep.replica_id, porep.comm_r, porep.seed}, partition);
  const StackedGraph graph(porep.proof);
  for (std::size_t i = 0; i < nodes.size(); ++i) ChallengeCheck(porep, partition, i).run(nodes[i], graph);
}

void check_porep(const VanillaPorep& porep, u64 miner_id, ThreadPool& pool) {
  check_replica_id(porep, miner_id);
  pool.parallel_for(0, porep.partitions.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) check_porep_partition(porep, static_cast<u32>(i));
  });
}

}  // namespace cuzk::filecoin
