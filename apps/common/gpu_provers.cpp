#include "common/gpu_provers.h"

#include <algorithm>

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

std::string describe_gpu(int ordinal) {
  const auto all = cuda::devices();
  const auto found = std::find_if(all.begin(), all.end(), [&](const auto& each) { return each.ordinal == ordinal; });
  if (found == all.end()) throw Error(Code::not_found, fmt::format("there is no cuda:{}", ordinal));
  const auto gib = [](std::size_t bytes) { return bytes >> 30; };
  return fmt::format("cuda:{}: {}, {} of {} GiB free", ordinal, found->name, gib(cuda::free_memory(ordinal)),
                     gib(found->memory));
}

std::unique_ptr<groth16::Prover> make_gpu_prover(int ordinal, ThreadPool& pool, u64 vram_limit) {
  const cuda::CudaProver::Options options{.device = ordinal, .memory = vram_limit};
  auto prover = std::make_unique<cuda::CudaProver>(options, pool);
  cuda::check_known_answer(*prover);
  return prover;
}

#else

std::vector<int> gpus() { return {}; }

std::string describe_gpu(int ordinal) { throw Error(Code::not_found, fmt::format("there is no cuda:{}", ordinal)); }

std::unique_ptr<groth16::Prover> make_gpu_prover(int, ThreadPool&, u64) {
  throw Error(Code::unavailable, "--device cuda: this build has no CUDA prover; use cpu or auto");
}

#endif

}  // namespace cuzk::apps
