#include "filecoin/public_inputs.h"

#include "base/error.h"
#include "filecoin/replica_id.h"
#include "groth16/verifier.h"

namespace cuzk::filecoin {
namespace {

Fr element(std::string_view name, const Node& node) {
  if (const auto value = Fr::from_bytes(node)) return *value;
  throw invalid_input("{} is not below the field's modulus", name);
}

}  // namespace

PorepStatement PorepStatement::of(const VanillaPorep& porep, u64 miner_id) {
  return {porep.proof, miner_id, porep.sector_number, porep.ticket, porep.seed, porep.comm_d, porep.comm_r};
}

Node PorepStatement::replica_id() const {
  return filecoin::replica_id(prover_id(miner_id), sector_number, ticket, comm_d, proof.porep_id());
}

std::vector<Fr> PorepStatement::public_inputs(u32 partition) const {
  return porep_public_inputs(proof, {replica_id(), comm_r, seed}, comm_d, partition);
}

std::vector<Fr> porep_public_inputs(const SealProof& proof, const ChallengeSource& source, const Node& comm_d,
                                    u32 partition) {
  const StackedGraph graph(proof);
  std::vector<Fr> inputs{element("replica_id", source.replica_id), element("comm_d", comm_d),
                         element("comm_r", source.comm_r)};
  for (const u64 node : porep_challenges(proof, source, partition)) {
    inputs.push_back(Fr::from_u64(node));
    for (const u64 parent : graph.drg_parents(node)) inputs.push_back(Fr::from_u64(parent));
    for (const u64 parent : graph.expander_parents(node)) inputs.push_back(Fr::from_u64(parent));
    inputs.insert(inputs.end(), 3, Fr::from_u64(node));
  }
  return inputs;
}

bool verify_porep(const PorepStatement& statement, std::span<const u8> proof, const groth16::VerifyingKey& key) {
  const auto proofs = groth16::proofs_from_bytes(proof);
  const u32 partitions = statement.proof.challenges().partitions;
  if (proofs.size() != partitions)
    throw invalid_input("proof: {} partitions, {} has {}", proofs.size(), statement.proof.name(), partitions);
  std::vector<groth16::Claim> claims;
  for (u32 i = 0; i < partitions; ++i) claims.push_back({proofs[i], statement.public_inputs(i)});
  return groth16::Verifier(key).verify_batch(claims);
}

}  // namespace cuzk::filecoin
