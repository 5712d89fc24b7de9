/// How much of the machine's memory goes to what.
#pragma once

#include "groth16/prover.h"
#include "server/config.h"

namespace cuzk::server {

/// Sets the budgets of `options`: of memory.total_budget, or of the machine's memory (control groups included) less
/// memory.safety_margin, at least half. Where the processor proves, three quarters of it are for keys and proofs and one
/// for witnesses; a GPU has memory of its own, whose end its prover tells.
/// What kept_pages() gives is taken off first.
void plan_memory(engine::EngineOptions& options, const Config& config, const groth16::Device& device);

/// Bytes that the process may keep for the next witness (base/page_pool.h): memory.keep_pages, at most an eighth of all.
u64 kept_pages(const Config& config);

}  // namespace cuzk::server
