/// Jobs as the C interface shows them.
#pragma once

#include <string>

#include "core.h"
#include "cuzk.h"
#include "engine/engine.h"

namespace cuzk::lib {

/// Returns when the job is accepted, with a journal when it is on the disk. Throws Error.
engine::JobId submit(Core& core, engine::ProofRequest request);

/// Whom to tell how far a job is; nobody where the function is null.
struct Listener {
  cuzk_progress_callback function;
  void* context;
};

/// As cuzk_job_wait. Throws Error: deadline, cancelled (by the listener), not_found.
engine::Engine::Result wait(engine::Engine& engine, const engine::JobId& id, u64 timeout_ms, Listener listener);

cuzk_state state_of(engine::JobState state);

/// As cuzk_job_status gives it.
std::string job_json(const engine::JobView& job);

/// As cuzk_result_timings gives it.
std::string timings_json(const engine::JobResult& result);

}  // namespace cuzk::lib
