/// How much of the machine's memory goes to what.
#pragma once

#include <vector>

#include "groth16/prover.h"
#include "server/config.h"

namespace cuzk::server {

/// Budgets in bytes, and of each the part for urgent jobs alone. A GPU has memory of its own, whose end its prover tells.
struct MemoryPlan {
  u64 host = 0, urgent_host = 0;            ///< of witnesses and of what was read of requests
  u64 processor = 0, urgent_processor = 0;  ///< of keys and proofs of each processor that proves
  u64 warm_keys = 0;                        ///< of key files in the page cache, which the system takes back as it needs
};

/// Of memory.total_budget, or of the machine's memory (control groups included) less memory.safety_margin, at least half,
/// after what kept_pages() gives. Where processors prove, three quarters are theirs. A processor that proves once GPUs
/// are lost gets as much, whatever the witnesses hold then. Key files: srs.warm_budget, or a quarter of the machine's
/// memory.
MemoryPlan plan_memory(const Config& config, const std::vector<groth16::Prover*>& provers);

/// Bytes that the process may keep for the next witness (base/page_pool.h): memory.keep_pages, at most an eighth of all.
u64 kept_pages(const Config& config);

}  // namespace cuzk::server
