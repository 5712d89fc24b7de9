// Native checks of a sector update: what the circuit enforces and what the verifier derives, nothing else.
#include <algorithm>

#include "base/error.h"
#include "filecoin/check_each.h"
#include "filecoin/circuits/update.h"
#include "filecoin/replica_id.h"
#include "filecoin/update_challenges.h"
#include "filecoin/vanilla_update.h"

namespace cuzk::filecoin {
namespace {

using gadgets::MerklePath;
using gadgets::MerkleStep;

/// What a partition's challenges come to in the replicas: the new node's value, and the roots of both paths.
struct ChallengeRoots {
  Fr encoded, old_root, new_root;
};

std::vector<Fr> rhos_of(const SectorShape& shape, const Fr& phi, std::span<const u64> challenges, Hashing hashing) {
  std::vector<u64> highs;
  highs.reserve(challenges.size());
  for (const u64 node : challenges) highs.push_back(high_bits_of(shape, node, shape.update.high_bits));
  if (hashing == Hashing::together) return update_rhos(phi, highs);
  std::vector<Fr> rhos;
  rhos.reserve(highs.size());
  for (const u64 high : highs) rhos.push_back(update_rho(phi, high));
  return rhos;
}

std::vector<ChallengeRoots> roots_of(std::span<const VanillaUpdateChallenge> challenges, std::span<const u64> nodes,
                                     std::span<const Fr> rhos, Hashing hashing) {
  std::vector<ChallengeRoots> result;
  std::vector<PathUp> paths;
  for (std::size_t i = 0; i < nodes.size(); ++i)
    paths.push_back({challenges[i].r_old.leaf, nodes[i], &challenges[i].r_old.path});
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const Fr encoded = challenges[i].r_old.leaf + challenges[i].d_new.leaf * rhos[i];
    paths.push_back({encoded, nodes[i], &challenges[i].r_new.path});
  }
  const std::vector<Fr> roots = poseidon_roots(paths, hashing);
  for (std::size_t i = 0; i < nodes.size(); ++i)
    result.push_back({paths[nodes.size() + i].node, roots[i], roots[nodes.size() + i]});
  return result;
}

class PartitionCheck {
 public:
  PartitionCheck(const VanillaUpdate& update, u32 partition)
      : update_(update), proof_(update.partitions[partition]), partition_(partition), numbers_(*update.shape) {}

  void run(Hashing hashing) const {
    check_commitment("comm_r_old", proof_.challenges.front().r_old.root, update_.comm_r_old);
    check_commitment("comm_r_new", proof_.challenges.front().r_new.root, update_.comm_r_new);
    check_apex();
    const Fr phi = update_phi(update_.comm_d_new, update_.comm_r_old);
    const auto challenges = update_challenges(*update_.shape, update_.comm_r_new, partition_);
    const auto rhos = rhos_of(*update_.shape, phi, challenges, hashing);
    const auto roots = roots_of(proof_.challenges, challenges, rhos, hashing);
    for (std::size_t i = 0; i < challenges.size(); ++i) check_challenge(i, challenges[i], roots[i]);
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
    const std::span<const MerkleStep> path(proof_.challenges.front().d_new.path);
    if (sha256_root(row.front(), partition_, path.last(numbers_.partition_bits)) != update_.comm_d_new.to_bytes())
      fail("the apex leaves and the path above them do not lead to comm_d_new");
  }

  void check_challenge(std::size_t i, u64 node, const ChallengeRoots& roots) const {
    const VanillaUpdateChallenge& challenge = proof_.challenges[i];
    const auto expect = [&](bool holds, std::string_view fault) {
      if (!holds) fail(fmt::format("challenge {} (node {}): {}", i, node, fault));
    };
    const VanillaUpdateChallenge& first = proof_.challenges.front();
    expect(roots.old_root == first.r_old.root, "proof_r_old does not lead to its root");
    expect(roots.encoded == challenge.r_new.leaf, "the new node is not the old one plus data times rho");
    expect(roots.new_root == first.r_new.root, "proof_r_new does not lead to its root");
    expect(leads_to_apex_leaf(challenge, node), "proof_d_new does not lead to its apex leaf");
    expect(same_partition_path(challenge), "the path above the apex differs from that of challenge 0");
  }

  bool leads_to_apex_leaf(const VanillaUpdateChallenge& challenge, u64 node) const {
    const unsigned below = numbers_.bits_below_apex_leaf();
    const u64 apex = (node >> below) % proof_.apex_leaves.size();
    const std::span<const MerkleStep> path(challenge.d_new.path);
    return sha256_root(challenge.d_new.leaf.to_bytes(), node, path.first(below)) == proof_.apex_leaves[apex].to_bytes();
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

void check_update_partition(const VanillaUpdate& update, u32 partition, Hashing hashing) {
  PartitionCheck(update, partition).run(hashing);
}

void check_update(const VanillaUpdate& update, ThreadPool& pool, Hashing hashing) {
  check_each(pool, update.partitions.size(),
             [&](std::size_t i) { check_update_partition(update, static_cast<u32>(i), hashing); });
}

}  // namespace cuzk::filecoin
