#include "groth16/prover.h"

#include "groth16/verifier.h"

namespace cuzk::groth16 {
namespace {

bool verifies(const Statement& statement, const Proof& proof, const Control& control) {
  const Span span = control.span("verify");
  const auto inputs = statement.witness.inputs();
  return Verifier(statement.key.verifying_key()).verify(proof, inputs.subspan(1));
}

ProofOrError caught(const auto& make) {
  try {
    return make();
  } catch (...) {
    return std::current_exception();
  }
}

}  // namespace

std::vector<ProofOrError> Prover::prove_together(const ProvingKey& key, const r1cs::Circuit& circuit,
                                                 std::span<const ProofOfMany> proofs) {
  std::vector<ProofOrError> made;
  for (const auto& [witness, blinding, control] : proofs)
    made.push_back(caught([&, &w = witness, &b = blinding, &c = control] { return prove({key, circuit, w}, b(), c); }));
  return made;
}

std::vector<ProofOrError> prove_verified_together(Prover& prover, const ProvingKey& key, const r1cs::Circuit& circuit,
                                                  std::span<const ProofOfMany> proofs) {
  auto made = prover.prove_together(key, circuit, proofs);
  for (std::size_t i = 0; i < proofs.size(); ++i) {
    const Statement statement{key, circuit, proofs[i].witness};
    const auto* proof = std::get_if<Proof>(&made[i]);
    if (proof == nullptr || verifies(statement, *proof, proofs[i].control)) continue;
    made[i] = caught([&] { return prove_verified(prover, statement, proofs[i].control, proofs[i].blinding).proof; });
  }
  return made;
}

VerifiedProof prove_verified(Prover& prover, const Statement& statement, const Control& control,
                             const BlindingSource& blinding) {
  constexpr u32 kAttempts = 2;
  for (u32 attempt = 1; attempt <= kAttempts; ++attempt) {
    const Proof proof = prover.prove(statement, blinding(), control);
    if (verifies(statement, proof, control)) return {proof, attempt};
  }
  throw UnverifiedProof(
      fmt::format("{}: {} proofs made, none verifies: the witness does not satisfy the circuit, the key "
                  "is another circuit's, or the device computes wrongly",
                  prover.device().name, kAttempts),
      kAttempts);
}

}  // namespace cuzk::groth16
