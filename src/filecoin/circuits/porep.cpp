#include "filecoin/circuits/porep.h"

#include "filecoin/circuits/blank_path.h"
#include "filecoin/circuits/prepare.h"
#include "filecoin/circuits/repeat.h"
#include "gadgets/bits.h"
#include "gadgets/label.h"
#include "gadgets/multipack.h"
#include "gadgets/por.h"
#include "gadgets/poseidon.h"

namespace cuzk::filecoin {

namespace {

using gadgets::TreeHash;

template <class Builder>
using NumberOf = typename Builder::Number;
template <class Builder>
using BitsOf = typename Builder::Bits;
template <class Builder>
using Numbers = std::vector<typename Builder::Number>;

template <class Builder>
struct Commitments {
  NumberOf<Builder> comm_d, comm_c, comm_r_last;
  BitsOf<Builder> replica_id;  // in SHA-256's order
};

template <class Builder>
NumberOf<Builder> hash_column(Builder& builder, const Numbers<Builder>& rows) {
  return gadgets::poseidon(builder, std::span<const NumberOf<Builder>>(rows));
}

template <class Builder>
BitsOf<Builder> bits_of(Builder& builder, const NumberOf<Builder>& number) {
  return gadgets::reverse_bit_numbering(gadgets::to_bits(builder, number));
}

/// Allocates what all challenges share; comm_r is the hash of comm_c and comm_r_last.
template <class Builder>
Commitments<Builder> commitments(Builder& builder, const PorepInput& input) {
  const NumberOf<Builder> replica_id = builder.alloc_number(input.replica_id);
  gadgets::inputize(builder, replica_id);
  BitsOf<Builder> replica_id_bits = bits_of(builder, replica_id);
  const NumberOf<Builder> comm_d = builder.alloc_number(input.comm_d);
  gadgets::inputize(builder, comm_d);
  const NumberOf<Builder> comm_r = builder.alloc_number(input.comm_r);
  gadgets::inputize(builder, comm_r);
  const NumberOf<Builder> comm_r_last = builder.alloc_number(input.comm_r_last);
  const NumberOf<Builder> comm_c = builder.alloc_number(input.comm_c);
  const Numbers<Builder> roots{comm_c, comm_r_last};
  gadgets::enforce_equal(builder, comm_r, gadgets::poseidon(builder, std::span<const NumberOf<Builder>>(roots)));
  return {comm_d, comm_c, comm_r_last, std::move(replica_id_bits)};
}

/// Allocates a parent's column, whose hash is in tree C.
template <class Builder>
Numbers<Builder> parent_column(Builder& builder, const PorepColumn& column, const NumberOf<Builder>& comm_c) {
  Numbers<Builder> rows;
  for (const Fr& row : column.rows) rows.push_back(builder.alloc_number(row));
  gadgets::por(builder, hash_column(builder, rows), comm_c, column.path, TreeHash::poseidon);
  return rows;
}

template <class Builder>
std::vector<Numbers<Builder>> parent_columns(Builder& builder, std::span<const PorepColumn> columns,
                                             const std::string& kind, const NumberOf<Builder>& comm_c) {
  std::vector<Numbers<Builder>> result;
  for (const PorepColumn& column : columns) {
    const auto scope = builder.scope(kind + " parent " + std::to_string(result.size()));
    result.push_back(parent_column(builder, column, comm_c));
  }
  return result;
}

/// The columns of one challenged node's parents, and the node's number.
template <class Builder>
struct Parents {
  std::vector<Numbers<Builder>> drg, expander;
  BitsOf<Builder> node;
};

/// The label of the node in a layer (from 0): from the DRG parents of the same layer and, except in the first, the
/// expander parents of the layer before.
template <class Builder>
NumberOf<Builder> label(Builder& builder, const BitsOf<Builder>& replica_id, const Parents<Builder>& parents,
                        std::size_t layer) {
  std::vector<BitsOf<Builder>> bits;
  for (const auto& column : parents.drg) bits.push_back(bits_of(builder, column[layer]));
  if (layer > 0) {
    for (const auto& column : parents.expander) bits.push_back(bits_of(builder, column[layer - 1]));
  }
  return gadgets::create_label(builder, replica_id, static_cast<u32>(layer + 1), parents.node, bits);
}

/// The labels of the challenged node in all layers.
template <class Builder>
Numbers<Builder> label_column(Builder& builder, const BitsOf<Builder>& replica_id, const Parents<Builder>& parents) {
  Numbers<Builder> labels;
  const std::size_t layers = parents.drg[0].size();
  for (std::size_t layer = 0; layer < layers; ++layer) {
    const auto scope = builder.scope("label " + std::to_string(layer + 1));
    labels.push_back(label(builder, replica_id, parents, layer));
  }
  return labels;
}

template <class Builder>
void challenge(Builder& builder, const PorepChallenge& input, const Commitments<Builder>& common) {
  const NumberOf<Builder> data = builder.alloc_number(input.data_leaf);
  {
    const auto scope = builder.scope("data");
    gadgets::por(builder, data, common.comm_d, input.data_path, TreeHash::sha256);
  }
  Parents<Builder> parents;
  parents.drg = parent_columns(builder, std::span(input.drg_parents), "drg", common.comm_c);
  parents.expander = parent_columns(builder, std::span(input.expander_parents), "expander", common.comm_c);
  parents.node = gadgets::alloc_bits(builder, input.node, 64);
  gadgets::pack_into_inputs(builder, parents.node);

  const Numbers<Builder> labels = label_column(builder, common.replica_id, parents);
  {
    const auto scope = builder.scope("replica");
    const NumberOf<Builder> encoded = gadgets::add(builder, labels.back(), data);
    gadgets::por(builder, encoded, common.comm_r_last, input.replica_path, TreeHash::poseidon);
  }
  const auto scope = builder.scope("column");
  gadgets::por(builder, hash_column(builder, labels), common.comm_c, input.column_path, TreeHash::poseidon);
}

PorepChallenge blank_challenge(const SectorShape& shape) {
  const gadgets::MerklePath path = blank_path(poseidon_tree_levels(shape));
  const PorepColumn column{SmallArray<Fr>(shape.layers, Fr::zero()), path};
  PorepChallenge challenge{.node = 0,
                           .data_leaf = Fr::zero(),
                           .data_path = blank_path(std::vector<u32>(shape.log2_nodes(), 2)),
                           .replica_path = path,
                           .column_path = path,
                           .drg_parents = {},
                           .expander_parents = {},
                           .stated_labels = {}};
  challenge.drg_parents.fill(column);
  challenge.expander_parents.fill(column);
  return challenge;
}

}  // namespace

template <class Builder>
void synthesize_porep(Builder& builder, const PorepInput& input) {
  const Commitments<Builder> common = commitments(builder, input);
  repeat(builder, input.challenges.size(), [&](std::size_t i) {
    const auto scope = builder.scope("challenge " + std::to_string(i));
    prepare_porep_challenge(builder, input.replica_id, input.challenges[i]);
    challenge(builder, input.challenges[i], common);
  });
}

template void synthesize_porep(r1cs::Compiler&, const PorepInput&);
template void synthesize_porep(r1cs::WitnessBuilder&, const PorepInput&);

PorepInput blank_porep_input(const SectorShape& shape) {
  const Fr zero = Fr::zero();
  return {zero, zero, zero, zero, zero, std::vector<PorepChallenge>(shape.porep.per_partition, blank_challenge(shape))};
}

r1cs::Circuit compile_porep(const SectorShape& shape) {
  r1cs::Compiler compiler;
  synthesize_porep(compiler, blank_porep_input(shape));
  return std::move(compiler).finish();
}

r1cs::Witness porep_witness(const PorepInput& input, std::stop_token stop) {
  r1cs::WitnessBuilder builder(std::move(stop));
  synthesize_porep(builder, input);
  return std::move(builder).finish();
}

}  // namespace cuzk::filecoin
