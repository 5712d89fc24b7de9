/// One job from its acceptance to its end: its states and what is known about it.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/spans.h"
#include "base/types.h"
#include "engine/request.h"

namespace cuzk::engine {

/// Unguessable and unique: 32 hexadecimal digits.
using JobId = std::string;

using Clock = std::chrono::steady_clock;

/// queued -> running -> completed | failed | cancelled; queued -> cancelled | timed_out (nobody wants it any more).
enum class JobState : u8 { queued, running, completed, failed, cancelled, timed_out };

std::string_view name(JobState state);
constexpr bool is_final(JobState state) { return state >= JobState::completed; }

/// Sums over a job's partitions, which overlap: witnesses are made while the partition before is proved.
struct JobTimings {
  std::chrono::milliseconds queued{}, key_load{}, synthesis{}, device{}, total{};
  std::vector<std::pair<std::string, double>> stages_ms;  ///< every stage, as base/spans.h sums them
};

/// How a job ended.
struct JobResult {
  JobState state = JobState::failed;
  std::vector<u8> proof;       ///< completed: 192 bytes for each partition, in order
  Code code = Code::internal;  ///< failed
  std::string message;         ///< failed, cancelled, timed out: why
  JobTimings timings;
};

/// What a job is doing, for people who wait.
struct JobView {
  JobId id;
  std::string request_id;
  Kind kind = Kind::porep;
  Priority priority = Priority::normal;
  JobState state = JobState::queued;
  std::string stage;  ///< running: such as "reading the key"
  std::size_t partitions_done = 0, partitions = 0;
  u64 stage_done = 0, stage_total = 0;  ///< of the stage, in its own units; total 0: not known
  std::chrono::milliseconds queued{}, ran{};
  std::string message;  ///< failed, cancelled, timed out: why

  /// Of the whole job, 0 to 100: the partitions that are proved.
  double percent() const {
    if (state == JobState::completed) return 100;
    return partitions == 0 ? 0 : 100 * static_cast<double>(partitions_done) / static_cast<double>(partitions);
  }
};

/// How far a partition of a running job has come.
struct PartitionView {
  enum class State : u8 { pending, witness, witness_done, proving, done } state = State::pending;
  std::chrono::milliseconds witness{}, proving{};  ///< so far
};

struct RunningJob : JobView {
  std::vector<PartitionView> each;  ///< by the number of the partition
};

/// What a lane of a device does.
struct WorkerView {
  u32 device = 0;
  PartitionView::State state = PartitionView::State::pending;  ///< pending: it is idle
  JobId job;
  u32 partition = 0;
  std::chrono::milliseconds busy{};  ///< with this partition
};

}  // namespace cuzk::engine
