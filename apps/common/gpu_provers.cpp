#include "common/gpu_provers.h"

#include "base/error.h"
#ifdef CUZK_CUDA
#include "cuda/device.h"
#include "cuda/known_answer.h"
#include "cuda/prover.h"
#endif

namespace cuzk::apps {

#ifdef CUZK_CUDA

std::vector<int> gpus() {
  std::vector<int> ordinals;
  for (const auto& device : cuda::devices()) ordinals.push_back(device.ordinal);
  return ordinals;
}

std::unique_ptr<groth16::Prover> make_gpu_prover(int ordinal, ThreadPool& pool, u64 vram_limit) {
  const cuda::CudaProver::Options options{.device = ordinal, .memory = vram_limit};
  auto prover = std::make_unique<cuda::CudaProver>(options, pool);
  cuda::check_known_answer(*prover);
  return prover;
}

#else

std::vector<int> gpus() { return {}; }

std::unique_ptr<groth16::Prover> make_gpu_prover(int, ThreadPool&, u64) {
  throw Error(Code::unavailable, "--device cuda: this build has no CUDA prover; use cpu or auto");
}

#endif

}  // namespace cuzk::apps
