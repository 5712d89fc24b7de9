/// What a journal says about a job.
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "engine/job.h"
#include "engine/request.h"

namespace cuzk::engine {

/// The clock of what outlives the process.
using WallTime = std::chrono::system_clock::time_point;

/// A job at its acceptance. Its input is recorded beside it.
struct JobRecord {
  JobId id;                ///< letters and digits, 64 at most: a file may be named by it
  std::string request_id;  ///< the caller's
  InputDigest digest{};    ///< of the input (request.h)
  Kind kind = Kind::porep;
  Priority priority = Priority::normal;
  std::optional<WallTime> deadline;
  WallTime accepted{};
  u64 input_bytes = 0;  ///< set by the journal: the input as it is stored
};

/// A job that has to run, or to run again.
struct UnfinishedJob {
  JobRecord record;
  JobState state = JobState::queued;  ///< queued or running
  u32 starts = 0;                     ///< how often it was begun: one that keeps ending the process is better given up
};

struct FinishedJob {
  JobRecord record;
  JobResult result;
  WallTime ended{};
};

/// What a journal held when it was opened.
struct Recovery {
  std::vector<UnfinishedJob> unfinished;           ///< in the order of acceptance
  std::vector<FinishedJob> finished;               ///< in the order of their ends
  std::optional<std::filesystem::path> set_aside;  ///< a damaged database that was found, and where it lies now
};

}  // namespace cuzk::engine
