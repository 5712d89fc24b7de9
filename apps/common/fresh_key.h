/// A development key for one run, made where the prover keeps its keys.
#pragma once

#include <memory>

#include "base/thread_pool.h"
#include "groth16/prover.h"
#include "r1cs/circuit.h"

namespace cuzk::apps {

/// From fresh toxic waste, which is forgotten. A CUDA prover makes it in the device's memory; for others it goes through
/// files of a temporary directory, which needs the key's size of disk. Such a key is good for measurements only.
std::shared_ptr<const groth16::ProvingKey> make_fresh_key(groth16::Prover& prover, const r1cs::Circuit& circuit,
                                                          ThreadPool& pool, const groth16::Control& control);

}  // namespace cuzk::apps
