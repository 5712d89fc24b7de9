#include "engine/statements/update_statement.h"

#include "base/error.h"
#include "engine/statements/native_checks.h"
#include "filecoin/circuit_name.h"
#include "filecoin/circuits/update.h"

namespace cuzk::engine {

namespace {

/// Some callers leave the sector size out, none the proof's type; sizes that the network does not have no type.
const filecoin::SectorShape& shape_of(const ProofInput& input) {
  if (input.sector_size == 0) return filecoin::update_shape_of(input.registered_proof);
  const auto& shape = filecoin::sector_shape(input.sector_size);
  if (shape.official && &filecoin::update_shape_of(input.registered_proof) != &shape) {
    throw invalid_input("registered_proof {} is of sectors of {}, sector_size is {}", input.registered_proof,
                        filecoin::update_shape_of(input.registered_proof).proof_name, input.sector_size);
  }
  return shape;
}

std::span<const u8> field_bytes(const std::string& text) {
  return {reinterpret_cast<const u8*>(text.data()), text.size()};
}

filecoin::VanillaUpdate read_update(const ProofInput& input, const groth16::Control& control) {
  auto request = filecoin::decode_update(
      {shape_of(input), field_bytes(input.comm_r_old), field_bytes(input.comm_d_new), field_bytes(input.comm_r_new)},
      input.vanilla_proofs, control.stop);
  check_natively(control, [&](ThreadPool& pool) { filecoin::check_update(request, pool); });
  return request;
}

}  // namespace

UpdateStatement::UpdateStatement(const ProofInput& input, CircuitCatalog& circuits, const groth16::Control& control)
    : circuits_(circuits), request_(read_update(input, control)) {}

std::string UpdateStatement::circuit_id() const {
  return filecoin::CircuitName{filecoin::CircuitKind::snap, request_.shape}.id();
}

std::vector<Fr> UpdateStatement::public_inputs(std::size_t partition) const {
  return request_.public_inputs(static_cast<u32>(partition));
}

r1cs::Witness UpdateStatement::witness(std::size_t partition, std::stop_token stop) const {
  return filecoin::update_witness(*request_.shape, request_.input(static_cast<u32>(partition)), std::move(stop));
}

}  // namespace cuzk::engine
