#include "engine/proof_check.h"

#include <vector>

#include "base/error.h"
#include "groth16/proof.h"

namespace cuzk::engine {

namespace {

/// Of claims that do not hold together.
std::string first_wrong(std::span<const groth16::Claim> claims, const groth16::Verifier& verifier) {
  std::size_t partition = 0;
  while (partition < claims.size() && verifier.verify(claims[partition].proof, claims[partition].public_inputs))
    ++partition;
  return fmt::format("partition {} of {} does not hold for this request and this key", partition, claims.size());
}

}  // namespace

std::optional<std::string> proof_fault(const Statement& statement, const groth16::Verifier& verifier,
                                       std::span<const u8> bytes) {
  std::vector<groth16::Proof> proofs;
  try {
    proofs = groth16::proofs_from_bytes(bytes);
  } catch (const Error& error) {
    return error.what();
  }
  if (proofs.size() != statement.partitions()) {
    return fmt::format("it has {} partitions, expected {}", proofs.size(), statement.partitions());
  }
  std::vector<groth16::Claim> claims;
  claims.reserve(proofs.size());
  for (const auto& proof : proofs) claims.push_back({proof, statement.public_inputs(claims.size())});
  if (!verifier.verify_batch(claims)) return first_wrong(claims, verifier);
  return std::nullopt;
}

}  // namespace cuzk::engine
