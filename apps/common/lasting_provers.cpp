#include "common/lasting_provers.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "base/log.h"
#include "base/machine_memory.h"
#include "common/gpu_provers.h"
#include "groth16/cpu_prover.h"

namespace cuzk::apps {
namespace {

/// The GPUs that are named; all where none is.
std::vector<int> ordinals_of(const std::vector<std::string>& devices) {
  auto all = gpus();
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

LastingProvers make_lasting_provers(const std::vector<std::string>& devices, u64 vram_limit, ThreadPool& pool) {
  // What would take more than half of the machine is read from its file by each proof.
  const u64 memory = machine_memory().total;
  const std::size_t largest_key = memory == 0 ? groth16::CpuProver::kAnyKey : static_cast<std::size_t>(memory / 2);
  const auto make_cpu = [&pool, largest_key] { return std::make_unique<groth16::CpuProver>(pool, largest_key); };
  LastingProvers result;
  if (devices != std::vector<std::string>{"cpu"}) {
    for (const int ordinal : ordinals_of(devices)) {
      try {
        result.devices.push_back(make_gpu_prover(ordinal, pool, vram_limit));
      } catch (const Error& error) {
        logger(LogModule::cuda).error("cuda:{} cannot be used: {}", ordinal, error.what());
      }
    }
    if (result.devices.empty()) logger(LogModule::cuda).info("no GPU can be used: proofs are made on the processor");
  }
  if (result.devices.empty()) {
    result.devices.push_back(make_cpu());
  } else {
    result.spare = make_cpu();
  }
  return result;
}

std::vector<std::string> describe_devices(const std::vector<std::string>& devices) {
  std::vector<std::string> lines;
  if (devices != std::vector<std::string>{"cpu"})
    for (const int ordinal : ordinals_of(devices)) lines.push_back(describe_gpu(ordinal));
  if (lines.empty()) lines.push_back(groth16::CpuProver(ThreadPool::shared()).device().description);
  return lines;
}

}  // namespace cuzk::apps
