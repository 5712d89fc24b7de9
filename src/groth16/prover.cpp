#include "groth16/prover.h"

#include "groth16/verifier.h"

namespace cuzk::groth16 {
namespace {

bool verifies(const Statement& statement, const Proof& proof, const Control& control) {
  const Span span = control.span("verify");
  const auto inputs = statement.witness.inputs();
  return Verifier(statement.key.verifying_key()).verify(proof, inputs.subspan(1));
}

}  // namespace

VerifiedProof prove_verified(Prover& prover, const Statement& statement, const Control& control,
                             const BlindingSource& blinding) {
  constexpr u32 kAttempts = 2;
  for (u32 attempt = 1; attempt <= kAttempts; ++attempt) {
    const Proof proof = prover.prove(statement, blinding(), control);
    if (verifies(statement, proof, control)) return {proof, attempt};
  }
  throw internal_error(
      "{}: {} proofs made, none verifies: the witness does not satisfy the circuit, the key is another circuit's, or "
      "the device computes wrongly",
      prover.device().name, kAttempts);
}

}  // namespace cuzk::groth16
