#include "engine/statements/porep_statement.h"

#include "base/error.h"
#include "engine/statements/native_checks.h"
#include "filecoin/c1_decoder.h"
#include "filecoin/circuit_name.h"
#include "filecoin/circuits/porep.h"
#include "filecoin/porep_check.h"
#include "filecoin/public_inputs.h"

namespace cuzk::engine {

namespace {

/// What the message says beside the C1 body must agree with it; 0 says nothing. The proof's type is the body's alone.
void check_message(const ProofInput& input, const filecoin::VanillaPorep& request) {
  const u64 bytes = request.proof.shape->bytes;
  if (input.sector_size != 0 && input.sector_size != bytes) {
    throw invalid_input("sector_size is {}, but {} has sectors of {} bytes", input.sector_size, request.proof.name(),
                        bytes);
  }
  if (input.sector_number != 0 && input.sector_number != request.sector_number) {
    throw invalid_input("sector_number is {}, but SectorNum is {}", input.sector_number, request.sector_number);
  }
}

/// Everything that the circuit would find, in milliseconds. Without a miner the replica id is taken as it is: the proof
/// then holds for the miner that it belongs to.
void check_values(const ProofInput& input, const filecoin::VanillaPorep& request, const groth16::Control& control) {
  if (input.miner_id != 0) filecoin::check_replica_id(request, input.miner_id);
  check_natively(control, [&](ThreadPool& pool) { filecoin::check_porep_partitions(request, pool); });
}

}  // namespace

PorepStatement::PorepStatement(const ProofInput& input, CircuitCatalog& circuits, const groth16::Control& control)
    : circuits_(circuits), request_(filecoin::decode_c1(input.vanilla_proof, control.stop)) {
  check_message(input, request_);
  check_values(input, request_, control);
}

std::string PorepStatement::circuit_id() const {
  return filecoin::CircuitName{filecoin::CircuitKind::porep, request_.proof.shape}.id();
}

std::vector<Fr> PorepStatement::public_inputs(std::size_t partition) const {
  return filecoin::porep_public_inputs(request_.proof, {request_.replica_id, request_.comm_r, request_.seed},
                                       request_.comm_d, static_cast<u32>(partition));
}

r1cs::Witness PorepStatement::witness(std::size_t partition, std::stop_token stop) const {
  return filecoin::porep_witness(request_.partitions.at(partition), std::move(stop));
}

}  // namespace cuzk::engine
