#include "server/memory_plan.h"

#include <algorithm>

#include "server/machine_memory.h"

namespace cuzk::server {

namespace {

/// The part of a budget that WinningPoSt has for itself: its key is 184 MiB, its proof less than that.
constexpr u64 kUrgentPart = 8;

/// The part of the memory that may lie idle, kept for the next witness.
constexpr u64 kKeptPart = 8;

u64 total_budget(const Config& config) {
  if (config.memory_budget) return *config.memory_budget;
  const u64 total = machine_memory().total;
  return std::max(total / 2, total - std::min(total, config.memory_margin));
}

}  // namespace

void plan_memory(engine::EngineOptions& options, const Config& config, const groth16::Device& device) {
  const u64 total = total_budget(config) - kept_pages(config);
  const bool shares = device.name == "cpu";
  options.policy.host_budget = shares ? total / 4 : total;
  options.policy.urgent_host = options.policy.host_budget / kUrgentPart;
  if (!shares) return;
  options.device_memory = total - options.policy.host_budget;
  options.urgent_memory = options.device_memory / kUrgentPart;
}

u64 kept_pages(const Config& config) { return std::min(config.keep_pages, total_budget(config) / kKeptPart); }

}  // namespace cuzk::server
