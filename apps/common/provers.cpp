#include "common/provers.h"

#include "base/error.h"
#include "groth16/cpu_prover.h"

namespace cuzk::apps {

std::unique_ptr<groth16::Prover> make_prover(const std::string& device, ThreadPool& pool) {
  if (device == "cuda") throw Error(Code::unavailable, "--device cuda: this build has no CUDA prover; use cpu or auto");
  return std::make_unique<groth16::CpuProver>(pool);
}

}  // namespace cuzk::apps
