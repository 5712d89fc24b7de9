// Native checks of a sector update: what the circuit enforces and what the verifier derives, nothing else.
#include <algorithm>

#include "base/error.h"
#include "filecoin/circuits/update.h"
#include "filecoin/path_root.h"
#include "filecoin/replica_id.h"
#include "filecoin/update_challenges.h"
#include "filecoin/vanilla_update.h"

namespace cuzk::filecoin {
namespace {

using gadgets::MerklePath;

/// The places of a path that leads to this leaf: the circuit takes them from the challenge, not from the proof.
MerklePath path_to(MerklePath path, u64 leaf) {
  for (auto& step : path) {
    const u64 arity = step.siblings.size() + 1;
    step.index = static_cast<u32>(leaf % arity);
    leaf /= arity;
  }
  return path;
}

MerklePath part_of(const MerklePath& path, std::size_t first, std::size_t count) {
  const auto begin = path.begin() + static_cast<std::ptrdiff_t>(first);
  return {begin, begin + static_cast<std::ptrdiff_t>(count)};
}

class PartitionCheck {
 public:
  PartitionCheck(const VanillaUpdate& update, u32 partition)
      : update_(update), proof_(update.partitions[partition]), partition_(partition), numbers_(*update.shape) {}

  void run() const {
    check_commitment("comm_r_old", proof_.challenges.front().r_old.root, update_.comm_r_old);
    check_commitment("comm_r_new", proof_.challenges.front().r_new.root, update_.comm_r_new);
    check_apex();
    const Fr phi = update_phi(update_.comm_d_new, update_.comm_r_old);
    const auto challenges = update_challenges(*update_.shape, update_.comm_r_new, partition_);
    for (std::size_t i = 0; i < challenges.size(); ++i) check_challenge(i, challenges[i], phi);
  }

 private:
  [[noreturn]] void fail(const std::string& fault) const { throw invalid_input("partition {}: {}", partition_, fault); }

  void check_commitment(std::string_view name, const Fr& root, const Fr& commitment) const {
    if (!(comm_r(proof_.comm_c, root) == commitment))
      fail(fmt::format("{} is not the hash of comm_c and challenge 0's root", name));
  }

  void check_apex() const {
    std::vector<Node> row;
    for (const Fr& leaf : proof_.apex_leaves) row.push_back(leaf.to_bytes());
    for (; row.size() > 1; row.resize(row.size() / 2))
      for (std::size_t i = 0; 2 * i < row.size(); ++i) row[i] = sha256_node(row[2 * i], row[2 * i + 1]);
    const MerklePath& full = proof_.challenges.front().d_new.path;
    const MerklePath top = part_of(full, full.size() - numbers_.partition_bits, numbers_.partition_bits);
    if (sha256_root(row.front(), path_to(top, partition_)) != update_.comm_d_new.to_bytes())
      fail("the apex leaves and the path above them do not lead to comm_d_new");
  }

  void check_challenge(std::size_t i, u64 node, const Fr& phi) const {
    const VanillaUpdateChallenge& challenge = proof_.challenges[i];
    const auto expect = [&](bool holds, std::string_view fault) {
      if (!holds) fail(fmt::format("challenge {} (node {}): {}", i, node, fault));
    };
    const VanillaUpdateChallenge& first = proof_.challenges.front();
    expect(poseidon_root(challenge.r_old.leaf, path_to(challenge.r_old.path, node)) == first.r_old.root,
           "proof_r_old does not lead to its root");
    const u64 high = high_bits_of(*update_.shape, node, update_.shape->update.high_bits);
    const Fr encoded = challenge.r_old.leaf + challenge.d_new.leaf * update_rho(phi, high);
    expect(encoded == challenge.r_new.leaf, "the new node is not the old one plus data times rho");
    expect(poseidon_root(encoded, path_to(challenge.r_new.path, node)) == first.r_new.root,
           "proof_r_new does not lead to its root");
    expect(leads_to_apex_leaf(challenge, node), "proof_d_new does not lead to its apex leaf");
    expect(same_partition_path(challenge), "the path above the apex differs from that of challenge 0");
  }

  bool leads_to_apex_leaf(const VanillaUpdateChallenge& challenge, u64 node) const {
    const unsigned below = numbers_.bits_below_apex_leaf();
    const u64 apex = (node >> below) % proof_.apex_leaves.size();
    const MerklePath path = path_to(part_of(challenge.d_new.path, 0, below), node);
    return sha256_root(challenge.d_new.leaf.to_bytes(), path) == proof_.apex_leaves[apex].to_bytes();
  }

  bool same_partition_path(const VanillaUpdateChallenge& challenge) const {
    const MerklePath& own = challenge.d_new.path;
    const MerklePath& first = proof_.challenges.front().d_new.path;
    for (std::size_t level = own.size() - numbers_.partition_bits; level < own.size(); ++level)
      if (!(own[level].siblings.front() == first[level].siblings.front())) return false;
    return true;
  }

  const VanillaUpdate& update_;
  const VanillaUpdatePartition& proof_;
  u32 partition_;
  UpdateShape numbers_;
};

}  // namespace

void check_update(const VanillaUpdate& update, ThreadPool& pool) {
  pool.parallel_for(0, update.partitions.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) PartitionCheck(update, static_cast<u32>(i)).run();
  });
}

}  // namespace cuzk::filecoin
