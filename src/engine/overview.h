/// An engine at one moment, as people look at it: what waits and runs, what has ended and why, who holds which memory.
///
/// A snapshot costs what it shows, not what the engine has: jobs are the newest and the oldest few.
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "engine/job.h"
#include "engine/scheduling/memory_usage.h"
#include "engine/waiting_counts.h"
#include "groth16/prover.h"

namespace cuzk::engine {

/// A stage of a job: from the start of its first partition to the end of its last one.
struct StageOfJob {
  std::string name;                      ///< "decode", "circuit", "key", "witness", "prove" or "verify"
  std::chrono::milliseconds begin, end;  ///< since the job was accepted
  std::chrono::milliseconds busy;        ///< sum over its spans, which may overlap
  u32 spans = 0;
};

/// In the order in which they began. What lies inside a stage is not shown beside it, but for "verify".
std::vector<StageOfJob> stages_of(const std::vector<SpanRecord>& records);

/// A job with the way that it took. Times of day are milliseconds since the engine's start.
struct JobOverview : JobView {
  std::chrono::milliseconds accepted{};
  std::string circuit;  ///< empty until it is known
  std::vector<StageOfJob> stages;
  Code code = Code::internal;  ///< of a failed one
};

/// The newest jobs that have ended, and the newest that failed: those stay when others succeed after them.
class EndedJobs {
 public:
  static constexpr std::size_t kMost = 48;
  using Pointer = std::shared_ptr<const JobOverview>;

  void add(JobOverview job);
  const std::deque<Pointer>& ended() const { return ended_; }        ///< the newest first
  const std::deque<Pointer>& failures() const { return failures_; }  ///< the same; those timed out as well

 private:
  std::deque<Pointer> ended_, failures_;
};

struct Overview {
  static constexpr std::size_t kMostJobs = 24;  ///< that wait or run

  std::chrono::milliseconds now{};  ///< since the engine's start
  WaitingCounts waiting;
  std::vector<JobOverview> running;  ///< by the time at which they started
  std::size_t running_jobs = 0;      ///< of which some may not be shown
  std::vector<JobOverview> queued;   ///< of those that were read, the ones that wait longest
  std::vector<EndedJobs::Pointer> ended, failures;
  MemoryUsage memory;                                       ///< as the scheduler sets it aside
  std::vector<std::vector<groth16::MemoryRegion>> regions;  ///< of each device
  std::vector<u32> lanes;                                   ///< of each device, the urgent one last
  u64 waiting_bytes = 0, waiting_limit = 0;                 ///< of inputs of jobs that wait
};

}  // namespace cuzk::engine
