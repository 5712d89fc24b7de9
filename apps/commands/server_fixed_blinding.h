/// Proofs with r and s that everyone may know, so that a test can compare them with those of another prover.
#pragma once

#ifdef CUZK_INSECURE

#include <memory>
#include <string>
#include <vector>

#include "groth16/prover.h"

namespace cuzk::apps {

/// A prover that makes the proofs of known statements with known r and s, and all others as `prover` does.
///
/// The files: common/blinding_file.h, also for what is thrown. Warns in the log.
std::unique_ptr<groth16::Prover> with_fixed_blinding(const std::vector<std::string>& files,
                                                     std::unique_ptr<groth16::Prover> prover);

}  // namespace cuzk::apps

#endif
