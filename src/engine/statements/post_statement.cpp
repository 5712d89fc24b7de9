#include "engine/statements/post_statement.h"

#include "base/error.h"
#include "engine/statements/native_checks.h"
#include "filecoin/circuit_name.h"
#include "filecoin/circuits/post.h"

namespace cuzk::engine {

namespace {

using filecoin::PostKind;

/// The proof's type says kind and size; what the message says beside it must agree. Sector size 0 says nothing.
filecoin::PostProof proof_of(const ProofInput& input) {
  const auto proof = filecoin::PostProof::from_number(input.registered_proof);
  const PostKind wanted = input.kind == Kind::winning_post ? PostKind::winning : PostKind::window;
  if (proof.kind != wanted) {
    throw invalid_input("registered_proof {} is {}, which is no {}", input.registered_proof, proof.name(),
                        name(input.kind));
  }
  if (input.sector_size != 0 && input.sector_size != proof.shape->bytes) {
    throw invalid_input("sector_size is {}, but {} has sectors of {} bytes", input.sector_size, proof.name(),
                        proof.shape->bytes);
  }
  return proof;
}

filecoin::VanillaPost read_post(const ProofInput& input, const groth16::Control& control) {
  const std::span<const u8> randomness(reinterpret_cast<const u8*>(input.randomness.data()), input.randomness.size());
  auto request =
      filecoin::decode_post({proof_of(input), randomness, input.partition_index}, input.vanilla_proofs, control.stop);
  check_natively(control, [&](ThreadPool& pool) { filecoin::check_post(request, pool); });
  return request;
}

}  // namespace

PostStatement::PostStatement(const ProofInput& input, CircuitCatalog& circuits, const groth16::Control& control)
    : circuits_(circuits), request_(read_post(input, control)) {}

std::string PostStatement::circuit_id() const {
  const bool winning = request_.proof.kind == PostKind::winning;
  const auto kind = winning ? filecoin::CircuitKind::winning : filecoin::CircuitKind::wpost;
  return filecoin::CircuitName{kind, request_.proof.shape}.id();
}

std::vector<Fr> PostStatement::public_inputs(std::size_t partition) const {
  return request_.public_inputs(static_cast<u32>(partition));
}

r1cs::Witness PostStatement::witness(std::size_t partition, std::stop_token stop) const {
  ThreadPool pool = ThreadPool::shared().until(std::move(stop));
  return filecoin::post_witness(request_.input(static_cast<u32>(partition)), pool);
}

}  // namespace cuzk::engine
