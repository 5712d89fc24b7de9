#include "filecoin/vanilla_update.h"

#include <algorithm>

#include "base/error.h"
#include "filecoin/circuits/blank_path.h"
#include "filecoin/circuits/update.h"
#include "filecoin/update_challenges.h"

namespace cuzk::filecoin {
namespace {

/// Bytes of a challenge's three openings without paths: what a length may promise at least.
constexpr std::size_t kChallengeBytes = 3 * (4 + 2 * kNodeBytes);

class PartitionDecoder {
 public:
  PartitionDecoder(const SectorShape& shape, const std::string& bytes, std::string source, const std::stop_token& stop)
      : shape_(shape),
        stop_(stop),
        replica_levels_(poseidon_tree_levels(shape)),
        data_levels_(shape.log2_nodes(), 2),
        reader_({reinterpret_cast<const u8*>(bytes.data()), bytes.size()}, std::move(source)) {}

  VanillaUpdatePartition decode() {
    VanillaUpdatePartition partition;
    partition.comm_c = read_element(reader_, "comm_c");
    const std::size_t leaves = reader_.read_length("apex_leafs", kNodeBytes);
    for (std::size_t i = 0; i < leaves; ++i) partition.apex_leaves.push_back(read_element(reader_, "apex leaf"));
    expect_count("apex leaves", leaves, shape_.update.apex_leaves);
    const std::size_t challenges = reader_.read_length("challenge_proofs", kChallengeBytes);
    expect_count("challenge proofs", challenges, shape_.update.challenges);
    for (std::size_t i = 0; i < challenges; ++i) partition.challenges.push_back(challenge(i));
    return partition;
  }

 private:
  VanillaUpdateChallenge challenge(std::size_t i) {
    if (stop_.stop_requested()) throw Error(Code::cancelled, "reading of a request: stopped");
    const ProofTrees trees = trees_of(shape_);
    VanillaUpdateChallenge challenge;
    challenge.r_old = read_opening(reader_, fmt::format("challenge {} proof_r_old", i), trees, replica_levels_);
    challenge.d_new =
        read_opening(reader_, fmt::format("challenge {} proof_d_new", i), ProofTrees::single, data_levels_);
    challenge.r_new = read_opening(reader_, fmt::format("challenge {} proof_r_new", i), trees, replica_levels_);
    return challenge;
  }

  void expect_count(std::string_view field, std::size_t found, std::size_t expected) const {
    if (found != expected) throw invalid_input("{}: {} {}, expected {}", reader_.source(), found, field, expected);
  }

  const SectorShape& shape_;
  const std::stop_token& stop_;
  std::vector<u32> replica_levels_, data_levels_;
  BincodeReader reader_;
};

Fr decode_commitment(std::string_view name, std::span<const u8> bytes) {
  Node node;
  if (bytes.size() != node.size()) throw invalid_input("{}: {} bytes, expected {}", name, bytes.size(), node.size());
  std::ranges::copy(bytes, node.begin());
  return element_of(node, "request", name);
}

std::vector<Fr> siblings_of(std::span<const gadgets::MerkleStep> steps) {
  std::vector<Fr> siblings;
  for (const auto& step : steps) siblings.push_back(step.siblings.front());
  return siblings;
}

}  // namespace

const SectorShape& update_shape_of(u64 registered_proof) {
  u64 place = registered_proof;
  for (const SectorShape& shape : sector_shapes())
    if (shape.official && place-- == 0) return shape;
  throw invalid_input("registered update proof {}: expected a number below 5", registered_proof);
}

VanillaUpdate decode_update(const UpdateContext& context, std::span<const std::string> proofs,
                            const std::stop_token& stop) {
  const SectorShape& shape = context.shape;
  if (shape.update.partitions == 0) throw invalid_input("sectors of {} have no update proof", shape.proof_name);
  VanillaUpdate update{&shape,
                       decode_commitment("comm_r_old", context.comm_r_old),
                       decode_commitment("comm_d_new", context.comm_d_new),
                       decode_commitment("comm_r_new", context.comm_r_new),
                       {}};
  if (proofs.size() != shape.update.partitions)
    throw invalid_input("vanilla_proofs: {} partitions, sectors of {} have {}", proofs.size(), shape.proof_name,
                        shape.update.partitions);
  for (std::size_t i = 0; i < proofs.size(); ++i)
    update.partitions.push_back(PartitionDecoder(shape, proofs[i], fmt::format("partition {}", i), stop).decode());
  return update;
}

std::vector<Fr> VanillaUpdate::public_inputs(u32 partition) const {
  return update_public_inputs(*shape, partition, comm_r_old, comm_d_new, comm_r_new);
}

UpdateInput VanillaUpdate::input(u32 partition) const {
  const UpdateShape numbers(*shape);
  const VanillaUpdatePartition& proof = partitions.at(partition);
  const VanillaUpdateChallenge& first = proof.challenges.front();
  UpdateInput input{partition,        network_h_choice(*shape), comm_r_old,        comm_d_new, comm_r_new, proof.comm_c,
                    first.r_old.root, first.r_new.root,         proof.apex_leaves, {},         {}};
  input.partition_path = siblings_of(std::span(first.d_new.path).last(numbers.partition_bits));
  for (const VanillaUpdateChallenge& challenge : proof.challenges)
    input.challenges.push_back({challenge.r_old.leaf, challenge.d_new.leaf, challenge.r_old.path, challenge.r_new.path,
                                siblings_of(std::span(challenge.d_new.path).first(numbers.bits_below_apex_leaf()))});
  return input;
}

}  // namespace cuzk::filecoin
