/// What a verifier of a PoRep knows of it, all derived from the request and never taken from a proof.
#pragma once

#include <span>
#include <vector>

#include "field/fr.h"
#include "filecoin/challenges.h"
#include "filecoin/graph.h"
#include "filecoin/vanilla_porep.h"
#include "groth16/verifying_key.h"

namespace cuzk::filecoin {

/// The statement: "this miner's replica of this data in this sector has this comm_r".
struct PorepStatement {
  SealProof proof;
  u64 miner_id = 0, sector_number = 0;
  Node ticket{}, seed{}, comm_d{}, comm_r{};

  static PorepStatement of(const VanillaPorep& porep, u64 miner_id);

  Node replica_id() const;

  /// The public inputs of one partition, ONE not among them: replica_id, comm_d, comm_r; then for each challenge the
  /// node, 6 + 8 parents, the node three times. Throws Error{invalid_input} for a commitment that is no field element.
  std::vector<Fr> public_inputs(u32 partition) const;
};

/// The same for a replica id that is given: of a request whose miner is not known.
std::vector<Fr> porep_public_inputs(const SealProof& proof, const ChallengeSource& source, const Node& comm_d,
                                    u32 partition);

/// Whether a proof of all partitions (192 bytes each) holds; all are checked together. Throws Error{invalid_input} for
/// bytes that are no such proof, or a key of another circuit.
bool verify_porep(const PorepStatement& statement, std::span<const u8> proof, const groth16::VerifyingKey& key);

}  // namespace cuzk::filecoin
