#include "base/log.h"
#include "engine/engine.h"
#include "engine/engine_batch.h"
#include "engine/journal/journal.h"

namespace cuzk::engine {

namespace {

/// A job that was begun so often and never ended ended the process instead, perhaps.
constexpr u32 kMostStarts = 5;

std::optional<WallTime> to_wall(std::optional<Clock::time_point> time) {
  if (!time) return std::nullopt;
  return WallTime::clock::now() + std::chrono::duration_cast<WallTime::duration>(*time - Clock::now());
}

std::optional<Clock::time_point> from_wall(std::optional<WallTime> time) {
  if (!time) return std::nullopt;
  return Clock::now() + std::chrono::duration_cast<Clock::duration>(*time - WallTime::clock::now());
}

JobPointer entry_of(const JobRecord& record) {
  auto job = std::make_shared<JobEntry>();
  job->id = record.id;
  job->identity = {record.request_id, record.digest};
  job->kind = record.kind;
  job->priority = record.priority;
  job->deadline = from_wall(record.deadline);
  job->accepted = *from_wall(record.accepted);
  job->input_bytes = record.input_bytes;
  job->durability = JobEntry::Durability::written;
  return job;
}

}  // namespace

/// What was accepted before the last end runs again; what had ended is remembered.
void Engine::recover() {
  const Recovery recovery = options_.journal->recover();
  std::vector<JobPointer> waiting;
  change([&](After& after) {
    for (const auto& [record, result, ended] : recovery.finished) {
      const auto job = entry_of(record);
      job->place = JobEntry::Place::nowhere;
      job->state = result.state;
      job->ended = *from_wall(ended);
      job->result = std::make_shared<const JobResult>(result);
      jobs_[job->id] = identities_[job->identity] = job;
      retention_.add(job->id, kJobBytes + result.proof.size() + result.message.size(), job->ended);
    }
    for (const auto& [record, state, starts] : recovery.unfinished) {
      const auto job = entry_of(record);
      add(job);
      if (starts < kMostStarts) {
        waiting.push_back(job);
        continue;
      }
      JobResult result;
      result.code = Code::internal;
      result.message = fmt::format("the daemon ended {} times while this job ran; it is not tried again", starts);
      end(job, std::move(result), after);
    }
    forget_expired(after);
  });
  change([&](After&) {
    for (const auto& job : waiting) push_to_intake(job);
  });
  if (!recovery.unfinished.empty() || !recovery.finished.empty()) {
    logger(LogModule::engine)
        .info("journal: {} jobs run again, {} results are remembered", waiting.size(), recovery.finished.size());
  }
}

/// Records a job's acceptance. Where its input cannot be written the job has ended when this returns.
void Engine::record(const JobPointer& job) {
  if (job->durability == JobEntry::Durability::none) return;
  const JobRecord record{job->id,       job->identity.first,    job->identity.second,   job->kind,
                         job->priority, to_wall(job->deadline), WallTime::clock::now(), job->input_bytes};
  try {
    options_.journal->accepted(record, *job->input,
                               [this, job](const std::exception_ptr& error) { on_recorded(job, error); });
  } catch (...) {
    on_recorded(job, std::current_exception());
    change([&](After& after) { end(job, result_of(*job->failure), after); });
  }
}

void Engine::on_recorded(const JobPointer& job, const std::exception_ptr& error) {
  change([&](After& after) {
    job->durability = error == nullptr ? JobEntry::Durability::written : JobEntry::Durability::none;
    for (auto& recorded : job->recorded) after.push_back([recorded = std::move(recorded), error] { recorded(error); });
    job->recorded.clear();
    if (error == nullptr) return;
    try {
      std::rethrow_exception(error);
    } catch (...) {
      job->failure = current_failure();
    }
    cancel(*job, after);
  });
}

/// The result is told once it is on the disk; where that fails it is told all the same, for the proof is good.
void Engine::record_end(const JobPointer& job, JobResult result) {
  const auto on_written = [this, job, result](const std::exception_ptr& error) {
    if (error != nullptr)
      logger(LogModule::engine).error("job {}: its result could not be written to the journal", job->id);
    change([&](After& after) { settle(*job, result, after); });
  };
  try {
    options_.journal->ended(job->id, result, on_written);
  } catch (...) {  // it did not take the result at all; this may be a lane's thread
    on_written(std::current_exception());
  }
}

}  // namespace cuzk::engine
