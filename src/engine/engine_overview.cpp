// What the engine shows to people who look at it: overview and the lanes' history.

#include <algorithm>
#include <utility>

#include "engine/engine.h"
#include "engine/engine_batch.h"

namespace cuzk::engine {

namespace {

/// Jobs that run may stand before those that wait; no more of them are walked over.
constexpr std::size_t kMostSteps = 512;

}  // namespace

std::chrono::milliseconds Engine::since_start(Clock::time_point time) const { return between(started_, time); }

Lane Engine::lane_of(const Batch& batch) {
  const bool is_urgent = batch.lane >= batch.device->spec().lanes;
  const u32 number = is_urgent ? batch.lane - batch.device->spec().lanes : batch.lane;
  return {is_urgent ? Lane::Role::urgent : Lane::Role::ordinary, batch.device->id(), number};
}

/// The batch's lane does something else with that item.
void Engine::note(const Batch& batch, std::size_t index, PartitionView::State state) {
  using State = PartitionView::State;
  using Stage = LaneSpan::Stage;
  const Lane lane = lane_of(batch);
  const auto now = Clock::now();
  if (state == State::pending) return lane_history_.end(lane, LaneSpan::End::dropped, now);
  if (state == State::done) return lane_history_.end(lane, LaneSpan::End::done, now);
  const Stage stage = state == State::witness        ? Stage::witness
                      : state == State::witness_done ? Stage::wait
                                                     : Stage::prove;
  lane_history_.begin(lane, stage, batch.items[index].job->id, batch.items[index].partition, now);
}

/// Under the mutex.
JobOverview Engine::show_way(const JobEntry& job) const {
  JobOverview overview{show(job), since_start(job.accepted), {}, stages_of(job.trace.records()), Code::internal};
  if (job.work != nullptr) overview.circuit = job.work->circuit_id();
  if (job.result != nullptr) overview.code = job.result->code;
  return overview;
}

/// Under the mutex.
std::vector<JobPointer> Engine::oldest_waiting() const {
  std::vector<JobPointer> jobs;
  std::size_t steps = 0;
  for (const auto& [ticket, job] : tickets_) {
    if (jobs.size() == Overview::kMostJobs || ++steps > kMostSteps) break;
    if (job->state == JobState::queued) jobs.push_back(job);
  }
  return jobs;
}

Overview Engine::overview() const {
  Overview result;
  for (const auto& device : devices_) {
    result.regions.push_back(device->prover().memory_regions());
    result.lanes.push_back(static_cast<u32>(device->lanes()));
  }
  const std::lock_guard lock(mutex_);
  result.now = since_start(Clock::now());
  result.waiting = waiting_;
  result.running_jobs = running_.size();
  for (std::size_t i = 0; i < std::min(running_.size(), Overview::kMostJobs); ++i)
    result.running.push_back(show_way(*running_[i]));
  for (const auto& job : oldest_waiting()) result.queued.push_back(show_way(*job));
  result.ended.assign(ended_.ended().begin(), ended_.ended().end());
  result.failures.assign(ended_.failures().begin(), ended_.failures().end());
  result.memory = scheduler_.memory();
  for (const u64 bytes : queued_bytes_) result.waiting_bytes += bytes;
  result.waiting_limit = limits_.max_queued_bytes;
  return result;
}

}  // namespace cuzk::engine
