/// What the engine keeps of a job from its acceptance until it is forgotten.
#pragma once

#include <atomic>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <utility>
#include <vector>

#include "base/spans.h"
#include "engine/job.h"
#include "engine/job_progress.h"
#include "engine/job_work.h"
#include "engine/request.h"
#include "groth16/proof.h"

namespace cuzk::engine {

using Identity = std::pair<std::string, InputDigest>;

/// Guarded by the engine's mutex, but for `trace`, `progress` and `stop`, which guard themselves, and `work` and
/// `blinding`, which do not change while partitions run.
struct JobEntry {
  using Result = std::shared_ptr<const JobResult>;
  using Callback = std::function<void(const Result&)>;
  using Recorded = std::function<void(std::exception_ptr)>;

  JobId id;
  Identity identity;
  u64 ticket = 0;  ///< its number at the scheduler
  Kind kind = Kind::porep;
  Priority priority = Priority::normal;
  std::optional<Clock::time_point> deadline;
  std::optional<Clock::time_point> wanted;  ///< until when somebody waits for it, at the earliest
  u64 input_bytes = 0;
  std::optional<ProofInput> input;  ///< until it is decoded; empty also where it lies in the journal alone
  PartitionBlinding blinding;
  std::optional<PartitionRange> only;

  Clock::time_point accepted = Clock::now(), started{}, ended{};
  JobState state = JobState::queued;
  enum class Place : u8 { accepting, intake, scheduler, nowhere } place = Place::accepting;
  enum class Durability : u8 { none, writing, written } durability = Durability::none;

  Trace trace;
  JobProgress progress;
  std::stop_source stop;
  std::shared_ptr<const JobWork> work;
  std::vector<std::optional<groth16::Proof>> proofs;
  std::optional<Failure> failure;

  Result result;  ///< once it has ended and that is on the disk
  std::map<u64, Callback> waiters;
  std::vector<Recorded> recorded;  ///< to be called once its acceptance is on the disk
};

using JobPointer = std::shared_ptr<JobEntry>;

}  // namespace cuzk::engine
