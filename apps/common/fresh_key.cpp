#include "common/fresh_key.h"

#include "common/temporary_directory.h"
#include "groth16/setup.h"
#ifdef CUZK_CUDA
#include "cuda/prover.h"
#endif

namespace cuzk::apps {

std::shared_ptr<const groth16::ProvingKey> make_fresh_key(groth16::Prover& prover, const r1cs::Circuit& circuit,
                                                          ThreadPool& pool, const groth16::Control& control) {
  const auto waste = groth16::ToxicWaste::fresh();
#ifdef CUZK_CUDA
  if (auto* const device = dynamic_cast<cuda::CudaProver*>(&prover)) return device->make_key(circuit, waste, control);
#endif
  const TemporaryDirectory directory;
  const groth16::KeyFiles files{directory / "fresh.params", directory / "fresh.vk"};
  groth16::setup(circuit, waste, files, pool, control);
  return prover.load_key(files.params, groth16::KeyCheck::points, control);
}

}  // namespace cuzk::apps
