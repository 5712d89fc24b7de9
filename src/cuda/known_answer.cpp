#include "cuda/known_answer.h"

#include <fmt/format.h>

#include "base/error.h"
#include "base/failpoint.h"
#include "groth16/known_statement.h"
#include "groth16/verifier.h"

namespace cuzk::cuda {

void check_known_answer(CudaProver& prover) {
  CUZK_FAILPOINT("cuda.known_answer");
  const groth16::KnownStatement known = groth16::known_statement();
  const auto key = prover.make_key(known.circuit, known.waste, {});
  const groth16::Proof proof = prover.prove({*key, known.circuit, known.witness}, groth16::Blinding::fresh(), {});
  if (!groth16::Verifier(key->verifying_key()).verify(proof, known.public_inputs)) {
    throw Error(Code::unavailable, fmt::format("{}: its proof of a known statement is wrong; the device is not used",
                                               prover.device().name));
  }
}

}  // namespace cuzk::cuda
