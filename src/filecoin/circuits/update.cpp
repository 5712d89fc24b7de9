#include "filecoin/circuits/update.h"

#include <bit>

#include "filecoin/circuits/blank_path.h"
#include "filecoin/circuits/prepare.h"
#include "filecoin/circuits/repeat.h"
#include "gadgets/bits.h"
#include "gadgets/insertion.h"
#include "gadgets/multipack.h"
#include "gadgets/por.h"
#include "gadgets/poseidon.h"
#include "gadgets/update.h"

namespace cuzk::filecoin {

namespace {

using gadgets::PoseidonTag;
using gadgets::TreeHash;

template <class Builder>
using Numbers = std::vector<typename Builder::Number>;

/// The partition's index and h_select: their bits, and the index packed again.
template <class Builder>
struct PartitionAndH {
  typename Builder::Bits partition, h_select;
  typename Builder::Number packed_partition;
};

/// What all challenges of a partition share.
template <class Builder>
struct Common {
  PartitionAndH<Builder> choice;
  typename Builder::Number comm_r_new, phi, root_r_old, root_r_new;
  Numbers<Builder> apex_leaves;
};

template <class Builder>
Numbers<Builder> alloc_all(Builder& builder, std::span<const Fr> values) {
  Numbers<Builder> numbers;
  for (const Fr& value : values) numbers.push_back(builder.alloc_number(value));
  return numbers;
}

/// Siblings of a binary path: one a level.
template <class Builder>
std::vector<Numbers<Builder>> alloc_binary_path(Builder& builder, std::span<const Fr> siblings) {
  std::vector<Numbers<Builder>> path;
  for (const Fr& sibling : siblings) path.push_back({builder.alloc_number(sibling)});
  return path;
}

template <class Builder>
std::vector<Numbers<Builder>> alloc_siblings(Builder& builder, const gadgets::MerklePath& path) {
  std::vector<Numbers<Builder>> siblings;
  for (const auto& step : path) siblings.push_back(alloc_all(builder, step.siblings));
  return siblings;
}

template <class Builder>
typename Builder::Number alloc_input(Builder& builder, const Fr& value) {
  const auto number = builder.alloc_number(value);
  gadgets::inputize(builder, number);
  return number;
}

/// One public input holds both.
template <class Builder>
PartitionAndH<Builder> partition_and_h(Builder& builder, const UpdateShape& shape, const UpdateInput& input) {
  const u64 packed = input.partition | u64{1} << (input.h_choice + shape.partition_bits);
  const auto number = alloc_input(builder, Fr::from_u64(packed));
  const unsigned h_count = static_cast<unsigned>(shape.hs.size());
  const auto bits = gadgets::decompose(builder, number, shape.partition_bits + h_count);
  auto partition = gadgets::slice(bits, 0, shape.partition_bits);
  auto packed_partition = gadgets::pack_bits(builder, partition);
  return {std::move(partition), gadgets::slice(bits, shape.partition_bits, h_count), std::move(packed_partition)};
}

/// comm_r = H(comm_c, root) for the old and the new replica.
template <class Builder>
void check_commitment(Builder& builder, const typename Builder::Number& comm_c, const typename Builder::Number& root,
                      const typename Builder::Number& comm_r) {
  gadgets::enforce_equal(builder, gadgets::poseidon(builder, std::array{comm_c, root}), comm_r);
}

template <class Builder>
Common<Builder> allocate_common(Builder& builder, const UpdateShape& shape, const UpdateInput& input) {
  PartitionAndH<Builder> choice = partition_and_h(builder, shape, input);
  const auto comm_r_old = alloc_input(builder, input.comm_r_old);
  const auto comm_d_new = alloc_input(builder, input.comm_d_new);
  const auto comm_r_new = alloc_input(builder, input.comm_r_new);
  const auto phi = gadgets::poseidon(builder, std::array{comm_d_new, comm_r_old}, PoseidonTag::randomness);
  const auto comm_c = builder.alloc_number(input.comm_c);
  const auto root_r_old = builder.alloc_number(input.root_r_old);
  const auto root_r_new = builder.alloc_number(input.root_r_new);
  auto apex_leaves = alloc_all(builder, input.apex_leaves);
  const auto partition_path = alloc_binary_path(builder, input.partition_path);
  check_commitment(builder, comm_c, root_r_old, comm_r_old);
  check_commitment(builder, comm_c, root_r_new, comm_r_new);
  const auto scope = builder.scope("apex");
  gadgets::apex_por(builder, apex_leaves, choice.partition, partition_path, comm_d_new);
  return {std::move(choice), comm_r_new, phi, root_r_old, root_r_new, std::move(apex_leaves)};
}

/// The challenged node's data is below its apex leaf.
template <class Builder>
void check_data(Builder& builder, const UpdateShape& shape, const UpdateChallenge& input, const Common<Builder>& common,
                const typename Builder::Bits& index, const typename Builder::Number& leaf) {
  const auto scope = builder.scope("data");
  const unsigned below = shape.bits_below_apex_leaf();
  const auto apex_leaf =
      gadgets::select(builder, common.apex_leaves, gadgets::slice(index, below, shape.apex_leaf_bits));
  const auto path = alloc_binary_path(builder, input.siblings_d_new);
  gadgets::por_at(builder, leaf, apex_leaf, gadgets::slice(index, 0, below), path, TreeHash::sha256);
}

/// index: the node's number inside the partition, then the partition's.
template <class Builder>
void challenge(Builder& builder, const UpdateShape& shape, const UpdateChallenge& input, const Common<Builder>& common,
               const typename Builder::Bits& index) {
  const auto high = gadgets::high_bits(builder, index, common.choice.h_select, shape.hs);
  const auto rho = gadgets::poseidon(builder, std::array{common.phi, high}, PoseidonTag::randomness);
  const auto leaf_r_old = builder.alloc_number(input.leaf_r_old);
  const auto leaf_d_new = builder.alloc_number(input.leaf_d_new);
  const auto leaf_r_new = gadgets::encode_update(builder, leaf_r_old, leaf_d_new, rho);
  {
    const auto scope = builder.scope("old replica");
    const auto siblings = alloc_siblings(builder, input.path_r_old);
    gadgets::por_at(builder, leaf_r_old, common.root_r_old, index, siblings, TreeHash::poseidon);
  }
  {
    const auto scope = builder.scope("new replica");
    const auto siblings = alloc_siblings(builder, input.path_r_new);
    gadgets::por_at(builder, leaf_r_new, common.root_r_new, index, siblings, TreeHash::poseidon);
  }
  check_data(builder, shape, input, common, index, leaf_d_new);
}

std::vector<unsigned> high_bit_choices(const SectorShape& shape) {
  if (shape.update.high_bits == 1) return {1, 1, 1, 1, 1, 1};
  return {7, 8, 9, 10, 11, 12};
}

UpdateInput blank_update_input(const SectorShape& sector) {
  const UpdateShape shape(sector);
  const Fr zero = Fr::zero();
  const auto path = blank_path(poseidon_tree_levels(sector));
  const UpdateChallenge challenge{zero, zero, path, path, std::vector<Fr>(shape.bits_below_apex_leaf(), zero)};
  UpdateInput input;
  input.comm_r_old = input.comm_d_new = input.comm_r_new = input.comm_c = input.root_r_old = input.root_r_new = zero;
  input.apex_leaves.assign(sector.update.apex_leaves, zero);
  input.partition_path.assign(shape.partition_bits, zero);
  input.challenges.assign(sector.update.challenges, challenge);
  return input;
}

unsigned log2_of(u64 power) { return static_cast<unsigned>(std::countr_zero(power)); }

}  // namespace

UpdateShape::UpdateShape(const SectorShape& shape)
    : challenge_bits(shape.log2_nodes()),
      partition_bits(log2_of(shape.update.partitions)),
      apex_leaf_bits(log2_of(shape.update.apex_leaves)),
      hs(high_bit_choices(shape)) {}

template <class Builder>
void synthesize_update(Builder& builder, const UpdateShape& shape, const UpdateInput& input) {
  const Common<Builder> common = allocate_common(builder, shape, input);
  const auto challenges =
      gadgets::challenge_bits(builder, common.comm_r_new, common.choice.packed_partition,
                              {input.challenges.size(), shape.challenge_bits - shape.partition_bits});
  const std::span<const UpdateChallenge> inputs(input.challenges);
  repeat(builder, challenges.size(), [&](std::size_t i) {
    const auto scope = builder.scope("challenge " + std::to_string(i));
    if (i % kUpdateChallengesTogether == 0) {
      const std::size_t count = std::min(kUpdateChallengesTogether, inputs.size() - i);
      prepare_update_challenges(builder, shape, input, common.phi, inputs.subspan(i, count));
    }
    auto index = challenges[i];
    gadgets::append(index, common.choice.partition);
    challenge(builder, shape, inputs[i], common, index);
  });
}

template void synthesize_update(r1cs::Compiler&, const UpdateShape&, const UpdateInput&);
template void synthesize_update(r1cs::WitnessBuilder&, const UpdateShape&, const UpdateInput&);

r1cs::Circuit compile_update(const SectorShape& shape) {
  r1cs::Compiler compiler;
  synthesize_update(compiler, UpdateShape(shape), blank_update_input(shape));
  return std::move(compiler).finish();
}

r1cs::Witness update_witness(const SectorShape& shape, const UpdateInput& input, std::stop_token stop) {
  r1cs::WitnessBuilder builder(std::move(stop));
  synthesize_update(builder, UpdateShape(shape), input);
  return std::move(builder).finish();
}

}  // namespace cuzk::filecoin
