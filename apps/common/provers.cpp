#include "common/provers.h"

#include "base/error.h"
#include "base/log.h"
#include "base/page_pool.h"
#include "groth16/cpu_prover.h"
#include "groth16/fallback_prover.h"
#ifdef CUZK_CUDA
#include "cuda/device.h"
#include "cuda/device_multiples.h"
#include "cuda/known_answer.h"
#include "cuda/prover.h"
#endif

namespace cuzk::apps {
namespace {

constexpr u64 kLargestWitness = u64{4} << 30;  // of a WindowPoSt of 32 or 64 GiB sectors: 125 million field elements

#ifdef CUZK_CUDA
bool has_cuda() { return !cuda::devices().empty(); }

/// One that has shown that it computes as it should.
std::unique_ptr<groth16::Prover> make_cuda_prover(ThreadPool& pool, u64 vram_limit = 0) {
  auto prover = std::make_unique<cuda::CudaProver>(cuda::CudaProver::Options{.memory = vram_limit}, pool);
  cuda::check_known_answer(*prover);
  return prover;
}

std::unique_ptr<groth16::GeneratorMultiples> make_device_multiples() { return cuda::device_multiples(0); }
#else
bool has_cuda() { return false; }

std::unique_ptr<groth16::GeneratorMultiples> make_device_multiples() {
  throw Error(Code::unavailable, "--device cuda: this build has no CUDA; use cpu or auto");
}

std::unique_ptr<groth16::Prover> make_cuda_prover(ThreadPool&, u64 = 0) {
  throw Error(Code::unavailable, "--device cuda: this build has no CUDA prover; use cpu or auto");
}
#endif

}  // namespace

std::unique_ptr<groth16::Prover> make_prover(const std::string& device, ThreadPool& pool, u64 vram_limit) {
  if (device == "cuda" || (device == "auto" && has_cuda())) return make_cuda_prover(pool, vram_limit);
  return std::make_unique<groth16::CpuProver>(pool);
}

std::unique_ptr<groth16::GeneratorMultiples> make_multiples(const std::string& device, ThreadPool& pool) {
  if (device == "cuda" || (device == "auto" && has_cuda())) return make_device_multiples();
  return groth16::multiples_by_threads(pool);
}

void add_device_options(CLI::App& command, std::string& device, u64& vram_limit) {
  command.add_option("--device", device, "cpu, cuda or auto")->check(CLI::IsMember(kDevices))->capture_default_str();
  command
      .add_option("--vram-limit", vram_limit, "bytes of the GPU's memory to use, such as 24GiB; default: nine tenths")
      ->transform(CLI::AsSizeValue(true));
}

std::unique_ptr<groth16::Prover> make_lasting_prover(ThreadPool& pool) {
  const auto make_cpu = [&pool] { return std::make_unique<groth16::CpuProver>(pool); };
  try {
    if (has_cuda()) return std::make_unique<groth16::FallbackProver>(make_cuda_prover(pool), make_cpu);
  } catch (const Error& error) {
    logger(LogModule::cuda).error("the GPU cannot be used ({}): proofs are made on the processor", error.what());
  }
  return make_cpu();
}

void keep_memory_of_witnesses() { PagePool::shared().keep(kLargestWitness); }

}  // namespace cuzk::apps
