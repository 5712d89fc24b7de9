#include "common/provers.h"

#include <algorithm>
#include <utility>

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
std::vector<int> gpus() {
  std::vector<int> ordinals;
  for (const auto& device : cuda::devices()) ordinals.push_back(device.ordinal);
  return ordinals;
}

/// One that has shown that it computes as it should.
std::unique_ptr<groth16::Prover> make_cuda_prover(int ordinal, ThreadPool& pool, u64 vram_limit) {
  const cuda::CudaProver::Options options{.device = ordinal, .memory = vram_limit};
  auto prover = std::make_unique<cuda::CudaProver>(options, pool);
  cuda::check_known_answer(*prover);
  return prover;
}

std::unique_ptr<groth16::GeneratorMultiples> make_device_multiples() { return cuda::device_multiples(0); }
#else
std::vector<int> gpus() { return {}; }

std::unique_ptr<groth16::GeneratorMultiples> make_device_multiples() {
  throw Error(Code::unavailable, "--device cuda: this build has no CUDA; use cpu or auto");
}

std::unique_ptr<groth16::Prover> make_cuda_prover(int, ThreadPool&, u64) {
  throw Error(Code::unavailable, "--device cuda: this build has no CUDA prover; use cpu or auto");
}
#endif

/// The GPUs that are named; all where none is.
std::vector<int> ordinals_of(const std::vector<std::string>& devices) {
  const auto all = gpus();
  if (devices.empty()) return all;
  std::vector<int> ordinals;
  for (const auto& name : devices) {
    const auto found =
        std::find_if(all.begin(), all.end(), [&](int each) { return fmt::format("cuda:{}", each) == name; });
    if (found == all.end()) {
      throw Error(Code::not_found,
                  fmt::format("gpus.devices: {} is not there; this program sees {} GPUs", name, all.size()));
    }
    ordinals.push_back(*found);
  }
  return ordinals;
}

}  // namespace

std::unique_ptr<groth16::Prover> make_prover(const std::string& device, ThreadPool& pool, u64 vram_limit) {
  if (device == "cuda" || (device == "auto" && !gpus().empty())) return make_cuda_prover(0, pool, vram_limit);
  return std::make_unique<groth16::CpuProver>(pool);
}

std::unique_ptr<groth16::GeneratorMultiples> make_multiples(const std::string& device, ThreadPool& pool) {
  if (device == "cuda" || (device == "auto" && !gpus().empty())) return make_device_multiples();
  return groth16::multiples_by_threads(pool);
}

void add_device_options(CLI::App& command, std::string& device, u64& vram_limit) {
  command.add_option("--device", device, "cpu, cuda or auto")->check(CLI::IsMember(kDevices))->capture_default_str();
  command
      .add_option("--vram-limit", vram_limit, "bytes of the GPU's memory to use, such as 24GiB; default: nine tenths")
      ->transform(CLI::AsSizeValue(true))
      ->transform(CLI::Validator(
          [](const std::string& text) { return text.starts_with('-') ? text + " is not a size" : std::string(); }, ""));
}

LastingProvers make_lasting_provers(const std::vector<std::string>& devices, u64 vram_limit, ThreadPool& pool) {
  const auto make_cpu = [&pool] { return std::make_unique<groth16::CpuProver>(pool); };
  LastingProvers result;
  if (devices != std::vector<std::string>{"cpu"}) {
    for (const int ordinal : ordinals_of(devices)) {
      try {
        result.devices.push_back(make_cuda_prover(ordinal, pool, vram_limit));
      } catch (const Error& error) {
        logger(LogModule::cuda).error("cuda:{} cannot be used: {}", ordinal, error.what());
      }
    }
    if (result.devices.empty()) logger(LogModule::cuda).info("no GPU can be used: proofs are made on the processor");
  }
  if (result.devices.empty()) {
    result.devices.push_back(make_cpu());
  } else if (result.devices.size() == 1) {
    result.devices[0] = std::make_unique<groth16::FallbackProver>(std::move(result.devices[0]), make_cpu);
  } else {
    result.spare = make_cpu();
  }
  return result;
}

void keep_memory_of_witnesses() { PagePool::shared().keep(kLargestWitness); }

}  // namespace cuzk::apps
