#include "gadgets/por.h"

#include <fmt/format.h>

#include <bit>

#include "gadgets/bits.h"
#include "gadgets/boolean.h"
#include "gadgets/insertion.h"
#include "gadgets/multipack.h"
#include "gadgets/poseidon.h"
#include "gadgets/sha256.h"

namespace cuzk::gadgets {

namespace {

/// A level of a Poseidon tree as one template. inputs: the node, the bits of its index, its siblings.
struct PoseidonLevel {
  unsigned bits;

  std::string key() const { return fmt::format("poseidon level {}", 1u << bits); }
  std::vector<Signal> record(Recorder& recorder, std::span<const Signal> in) const {
    const std::vector<Signal> children = insert(recorder, in[0], in.subspan(1, bits), in.subspan(1 + bits));
    recorder.mark("hash");
    return {poseidon(recorder, children)};
  }
};

Signal poseidon_level(Compiler& builder, Signal node, const std::vector<Signal>& index,
                      std::span<const Signal> siblings) {
  std::vector<Signal> inputs{node};
  inputs.insert(inputs.end(), index.begin(), index.end());
  inputs.insert(inputs.end(), siblings.begin(), siblings.end());
  return builder.place(PoseidonLevel{static_cast<unsigned>(index.size())}, inputs)[0];
}

Fr poseidon_level(WitnessBuilder& builder, const Fr& node, const BitString& index, std::span<const Fr> siblings) {
  return poseidon(builder, insert(builder, node, index, siblings));
}

/// The node above: the hash of the node among its siblings.
template <class Builder>
typename Builder::Number node_above(Builder& builder, const typename Builder::Number& node,
                                    const typename Builder::Bits& index,
                                    const std::vector<typename Builder::Number>& siblings, TreeHash hash) {
  if (hash == TreeHash::poseidon) return poseidon_level(builder, node, index, siblings);
  const auto children = insert(builder, node, index, siblings);
  return sha256_node(builder, children[0], children[1]);
}

unsigned bits_of_arity(std::size_t arity) { return static_cast<unsigned>(std::countr_zero(arity)); }

}  // namespace

template <class Builder>
MerkleRoot<Builder> merkle_root(Builder& builder, const typename Builder::Number& leaf, const MerklePath& path,
                                TreeHash hash) {
  MerkleRoot<Builder> result{leaf, {}};
  for (const MerkleStep& step : path) {
    const auto index = alloc_bits(builder, step.index, bits_of_arity(step.siblings.size() + 1));
    append(result.index, index);
    std::vector<typename Builder::Number> siblings;
    for (const Fr& sibling : step.siblings) siblings.push_back(builder.alloc_number(sibling));
    result.root = node_above(builder, result.root, index, siblings, hash);
  }
  return result;
}

template <class Builder>
void por(Builder& builder, const typename Builder::Number& leaf, const typename Builder::Number& root,
         const MerklePath& path, TreeHash hash) {
  const MerkleRoot<Builder> computed = merkle_root(builder, leaf, path, hash);
  pack_into_inputs(builder, computed.index);
  enforce_equal(builder, computed.root, root);
}

template <class Builder>
void por_at(Builder& builder, const typename Builder::Number& leaf, const typename Builder::Number& root,
            const typename Builder::Bits& index, const std::vector<std::vector<typename Builder::Number>>& siblings,
            TreeHash hash) {
  typename Builder::Number node = leaf;
  std::size_t used = 0;
  for (const auto& level : siblings) {
    const unsigned bits = bits_of_arity(level.size() + 1);
    node = node_above(builder, node, slice(index, used, bits), level, hash);
    used += bits;
  }
  enforce_equal(builder, node, root);
}

template MerkleRoot<Compiler> merkle_root(Compiler&, const Signal&, const MerklePath&, TreeHash);
template MerkleRoot<WitnessBuilder> merkle_root(WitnessBuilder&, const Fr&, const MerklePath&, TreeHash);
template void por(Compiler&, const Signal&, const Signal&, const MerklePath&, TreeHash);
template void por(WitnessBuilder&, const Fr&, const Fr&, const MerklePath&, TreeHash);
template void por_at(Compiler&, const Signal&, const Signal&, const std::vector<Signal>&,
                     const std::vector<std::vector<Signal>>&, TreeHash);
template void por_at(WitnessBuilder&, const Fr&, const Fr&, const BitString&, const std::vector<std::vector<Fr>>&,
                     TreeHash);

}  // namespace cuzk::gadgets
