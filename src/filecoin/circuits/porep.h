/// The circuit of one partition of a PoRep (storage-proofs-porep, "stacked"): the replica's commitments belong
/// together, and for every challenged node its column of labels is the right function of its parents' columns and its
/// data.
///
/// Public inputs: replica_id, comm_d, comm_r; then for each challenge the index in tree D, the indices of the six
/// DRG and eight expander parents in tree C, the challenged node, its index in tree R-last and in tree C.
/// 98.7% of the variables of a 32 GiB partition are bits, nearly all of them inside SHA-256.
#pragma once

#include "filecoin/circuits/porep_input.h"
#include "filecoin/sector_shape.h"
#include "r1cs/compiler.h"
#include "r1cs/witness_builder.h"

namespace cuzk::filecoin {

/// Builder: r1cs::Compiler (only the input's shape matters) or r1cs::WitnessBuilder. The input must have at least one
/// challenge, every column the same number of rows.
template <class Builder>
void synthesize_porep(Builder& builder, const PorepInput& input);

extern template void synthesize_porep(r1cs::Compiler&, const PorepInput&);
extern template void synthesize_porep(r1cs::WitnessBuilder&, const PorepInput&);

/// An input of that sector's shape, all values 0.
PorepInput blank_porep_input(const SectorShape& shape);

/// The circuit of that sector's keys.
r1cs::Circuit compile_porep(const SectorShape& shape);

/// Public inputs (ONE first) and auxiliary values. Nothing is checked: values that do not fit together give a witness
/// that does not satisfy the circuit.
r1cs::Witness porep_witness(const PorepInput& input, std::stop_token stop = {});

}  // namespace cuzk::filecoin
