// What the engine tells of jobs, lanes and devices.

#include <algorithm>

#include "base/error.h"
#include "engine/engine.h"
#include "engine/engine_batch.h"

namespace cuzk::engine {
namespace {

/// A region that lies in another one is in use there.
DeviceView view_of(const groth16::Prover& prover) {
  DeviceView view;
  view.device = prover.device();
  for (const auto& region : prover.memory_regions()) {
    view.reserved_bytes = std::max(view.reserved_bytes, region.capacity);
    view.free_bytes += region.capacity - region.in_use;
  }
  return view;
}

}  // namespace

JobView Engine::view(const JobId& id) const {
  const std::lock_guard lock(mutex_);
  return show(*find(id));
}

JobView Engine::show(const JobEntry& job) {
  JobView view{job.id, job.identity.first, job.kind, job.priority, job.state, {}, 0, 0, 0, 0, {}, {}, {}};
  job.progress.show(view);
  const bool has_started = job.started != Clock::time_point{};
  const auto end = is_final(job.state) ? job.ended : Clock::now();
  view.queued = between(job.accepted, has_started ? job.started : end);
  // Not rounded by itself, so that both together are the job's time and no stage ends after it.
  if (has_started) view.ran = between(job.accepted, end) - view.queued;
  if (job.result != nullptr) view.message = job.result->message;
  return view;
}

std::vector<JobView> Engine::list(Which which) const {
  const std::lock_guard lock(mutex_);
  std::vector<JobPointer> jobs;
  for (const auto& [id, job] : jobs_) {
    if (which == Which::all || !is_final(job->state)) jobs.push_back(job);
  }
  std::sort(jobs.begin(), jobs.end(), [](const auto& a, const auto& b) { return a->accepted < b->accepted; });
  std::vector<JobView> result;
  result.reserve(jobs.size());
  for (const auto& job : jobs) result.push_back(show(*job));
  return result;
}

std::vector<SpanRecord> Engine::trace(const JobId& id) const {
  const std::lock_guard lock(mutex_);
  const auto job = find(id);
  if (is_final(job->state) && std::find(traced_.begin(), traced_.end(), id) == traced_.end()) {
    throw Error(Code::not_found, fmt::format("no trace of job '{}' is kept: those of the last {} jobs that ended since "
                                             "the start are",
                                             id, limits_.keep_traces));
  }
  auto records = job->trace.records();
  u32 row = 0;
  for (const auto& record : records) row = std::max(row, record.thread + 1);
  records.insert(records.begin(), {"queue", std::nullopt, {}, show(*job).queued, row});
  return records;
}

EngineSnapshot Engine::snapshot() const {
  EngineSnapshot result;
  result.devices = devices();
  result.circuits = decoder_.circuits();
  const std::lock_guard lock(mutex_);
  result.kinds = counts_;
  result.uptime = std::chrono::duration_cast<std::chrono::seconds>(Clock::now() - started_);
  result.mode = mode_;
  for (const auto& job : running_) result.running.push_back({show(*job), job->progress.partitions()});
  const auto now = Clock::now();
  for (const auto* each : active_devices()) {
    for (u32 lane = 0; lane < each->lanes(); ++lane) result.workers.push_back(show_worker(*each, lane, now));
  }
  return result;
}

WorkerView Engine::show_worker(const DeviceLanes& device, u32 lane, Clock::time_point now) const {
  WorkerView view;
  view.device = device.id();
  for (const auto& [id, batch] : batches_) {
    if (batch->device != &device || batch->lane != lane) continue;
    const auto& item = batch->items[batch->current];
    view.state = batch->state;
    view.job = item.job->id;
    view.partition = item.partition;
    view.busy = between(batch->since, now);
  }
  return view;
}

std::vector<DeviceView> Engine::devices() const {
  std::vector<DeviceView> result;
  for (const auto& each : devices_) result.emplace_back(view_of(each->prover())).keys = each->keys().status();
  const std::lock_guard lock(mutex_);
  for (std::size_t i = 0; i < result.size(); ++i) result[i].state = devices_[i]->state();
  return result;
}

}  // namespace cuzk::engine
