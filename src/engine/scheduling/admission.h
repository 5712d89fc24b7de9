/// Whether a job is accepted at all: what can never run is refused at once, what is too much now with a hint when to
/// come back.
#pragma once

#include <optional>

#include "engine/scheduling/state.h"

namespace cuzk::engine {

/// Why a job is not accepted; nothing when it is.
std::optional<RefuseJob> refusal(const SchedulerState& state, const JobSpec& job);

/// When to come back with a job of this kind: about as long as one of it takes to end, within reason.
Duration retry_after(const SchedulerState& state, Kind kind);

}  // namespace cuzk::engine
