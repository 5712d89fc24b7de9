#include "engine/job.h"

namespace cuzk::engine {

std::string_view name(JobState state) {
  switch (state) {
    case JobState::queued: return "queued";
    case JobState::running: return "running";
    case JobState::completed: return "completed";
    case JobState::failed: return "failed";
    case JobState::cancelled: return "cancelled";
    case JobState::timed_out: return "timed out";
  }
  return "unknown";
}

}  // namespace cuzk::engine
