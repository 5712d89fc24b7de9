/// A device that computes wrongly is worse than none: it is asked first for something that is known.
#pragma once

#include "cuda/prover.h"

namespace cuzk::cuda {

/// Makes a key and a proof of groth16::known_statement() on the prover's device and verifies it on the processor, in
/// some 100 ms, most of which load the device's code for the proofs to come. Throws Error{unavailable} when the proof is
/// wrong, and what the prover throws. Failpoint "cuda.known_answer".
void check_known_answer(CudaProver& prover);

}  // namespace cuzk::cuda
