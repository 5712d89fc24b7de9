#include "common/provers.h"

#include "base/error.h"
#include "base/page_pool.h"
#include "common/gpu_provers.h"
#include "groth16/cpu_prover.h"
#ifdef CUZK_CUDA
#include "cuda/device_multiples.h"
#endif

namespace cuzk::apps {
namespace {

constexpr u64 kLargestWitness = u64{4} << 30;  // of a WindowPoSt of 32 or 64 GiB sectors: 125 million field elements

#ifdef CUZK_CUDA
std::unique_ptr<groth16::GeneratorMultiples> make_device_multiples() { return cuda::device_multiples(0); }
#else
std::unique_ptr<groth16::GeneratorMultiples> make_device_multiples() {
  throw Error(Code::unavailable, "--device cuda: this build has no CUDA; use cpu or auto");
}
#endif

}  // namespace

std::unique_ptr<groth16::Prover> make_prover(const std::string& device, ThreadPool& pool, u64 vram_limit, KeyUse use) {
  if (device == "cuda" || (device == "auto" && !gpus().empty())) return make_gpu_prover(0, pool, vram_limit);
  return std::make_unique<groth16::CpuProver>(pool, use == KeyUse::once ? 0 : groth16::CpuProver::kAnyKey);
}

std::unique_ptr<groth16::GeneratorMultiples> make_multiples(const std::string& device,
                                                            const groth16::KeyLengths& lengths, ThreadPool& pool) {
  if (device == "cuda" || (device == "auto" && !gpus().empty())) return make_device_multiples();
  return groth16::multiples_by_threads(lengths, pool);
}

void add_device_options(CLI::App& command, std::string& device, u64& vram_limit) {
  command.add_option("--device", device, "cpu, cuda or auto")->check(CLI::IsMember(kDevices))->capture_default_str();
  command
      .add_option("--vram-limit", vram_limit, "bytes of the GPU's memory to use, such as 24GiB; default: nine tenths")
      ->transform(CLI::AsSizeValue(true))
      ->transform(CLI::Validator(
          [](const std::string& text) { return text.starts_with('-') ? text + " is not a size" : std::string(); }, ""));
}

void keep_memory_of_witnesses() { PagePool::shared().keep(kLargestWitness); }

}  // namespace cuzk::apps
