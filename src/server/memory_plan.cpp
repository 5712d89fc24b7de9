#include "server/memory_plan.h"

#include <algorithm>

#include "base/machine_memory.h"
#include "server/device_names.h"

namespace cuzk::server {

namespace {

/// The part of a budget that WinningPoSt has for itself: its key is 184 MiB, its proof less than that.
constexpr u64 kUrgentPart = 8;

/// The part of the memory that may lie idle, kept for the next witness.
constexpr u64 kKeptPart = 8;

/// The part of the machine's memory for files of keys that are on no device.
constexpr u64 kWarmPart = 4;

u64 total_budget(const Config& config) {
  if (config.memory_budget) return *config.memory_budget;
  const u64 total = machine_memory().total;
  return std::max(total / 2, total - std::min(total, config.memory_margin));
}

}  // namespace

MemoryPlan plan_memory(const Config& config, const std::vector<groth16::Prover*>& provers) {
  const u64 total = total_budget(config) - kept_pages(config);
  const auto processors = static_cast<u64>(
      std::count_if(provers.begin(), provers.end(), [](const auto* prover) { return is_processor(prover->device()); }));
  MemoryPlan plan;
  plan.host = processors != 0 ? total / 4 : total;
  plan.urgent_host = plan.host / kUrgentPart;
  plan.processor = (total - total / 4) / std::max<u64>(processors, 1);
  plan.urgent_processor = plan.processor / kUrgentPart;
  plan.warm_keys = config.warm_budget.value_or(machine_memory().total / kWarmPart);
  return plan;
}

u64 kept_pages(const Config& config) { return std::min(config.keep_pages, total_budget(config) / kKeptPart); }

}  // namespace cuzk::server
