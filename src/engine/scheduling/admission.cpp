#include "engine/scheduling/admission.h"

#include <fmt/format.h>

#include <tuple>
#include <utility>

namespace cuzk::engine {

namespace {

using Reason = RefuseJob::Reason;

std::string gib(u64 bytes) { return fmt::format("{:.2f} GiB", static_cast<double>(bytes) / (1U << 30)); }

/// What a kind's inputs may hold: three quarters of the budget, so that one that is stuck leaves room for the others.
u64 input_limit(const SchedulerState& state) { return state.policy.input_budget - state.policy.input_budget / 4; }

/// What is left for the input of this job. A sixteenth of the budget is for CRITICAL alone.
u64 input_room(const SchedulerState& state, const JobSpec& job) {
  const u64 kept = job.priority == Priority::critical ? 0 : state.policy.input_budget / 16;
  const u64 of_kind = state.input_bytes_of[static_cast<std::size_t>(job.kind)];
  const u64 all = state.policy.input_budget - kept;
  return std::min(input_limit(state) - std::min(of_kind, input_limit(state)), all - std::min(state.input_bytes, all));
}

/// The largest pool that this job may take from.
u64 limit(const PooledMemory& memory, const JobSpec& job) {
  const u64 urgent = job.priority == Priority::critical ? memory.limit(Pool::urgent) : 0;
  return std::max(memory.limit(Pool::ordinary), urgent);
}

RefuseJob too_large(const JobSpec& job, const std::string& what, u64 needed, const std::string& where, u64 available) {
  return {job.ticket,
          Reason::too_large,
          fmt::format("{}: {} needs {}, {} has {}", job.circuit, what, gib(needed), where, gib(available)),
          {}};
}

std::optional<RefuseJob> never_fits_host(const SchedulerState& state, const JobSpec& job) {
  const u64 need = job.memory.host_job + job.memory.host_partition;
  const u64 most = limit(state.host, job);
  if (need > most) return too_large(job, "a partition", need, "the budget of host memory", most);
  const u64 inputs = input_limit(state);
  if (job.input_bytes > inputs) return too_large(job, "the input", job.input_bytes, "the budget of a kind", inputs);
  return std::nullopt;
}

std::optional<RefuseJob> never_fits_device(const SchedulerState& state, const JobSpec& job) {
  u64 most = 0, needed = 0;
  for (const auto& [id, device] : state.devices) {
    const DeviceNeed on_device = job.memory.on(id);
    const u64 there = limit(device.memory, job), need = on_device.key + on_device.partition;
    if (need <= there) return std::nullopt;
    if (most == 0 || there > most) std::tie(most, needed) = std::pair(there, need);
  }
  return too_large(job, "the key with a partition", needed, "the largest device", most);
}

std::optional<RefuseJob> queue_full(const SchedulerState& state, const JobSpec& job) {
  const u32 most = state.policy.kinds[static_cast<std::size_t>(job.kind)].max_queued;
  const u32 queued = state.jobs.count(job.kind).queued;
  const Duration later = retry_after(state, job.kind);
  if (queued >= most) {
    return RefuseJob{job.ticket, Reason::queue_full,
                     fmt::format("the queue of {} is full: {} jobs wait, {} may", name(job.kind), queued, most), later};
  }
  if (job.input_bytes > input_room(state, job)) {
    return RefuseJob{job.ticket, Reason::queue_full,
                     fmt::format("{}: the input needs {}, there is room for {} of {}", job.circuit,
                                 gib(job.input_bytes), gib(input_room(state, job)), gib(state.policy.input_budget)),
                     later};
  }
  return std::nullopt;
}

}  // namespace

Duration retry_after(const SchedulerState& state, Kind kind) {
  const Duration interval = state.rates[static_cast<std::size_t>(kind)].interval;
  return std::clamp<Duration>(interval, std::chrono::seconds(1), std::chrono::minutes(5));
}

std::optional<RefuseJob> refusal(const SchedulerState& state, const JobSpec& job) {
  if (job.partitions == 0) return RefuseJob{job.ticket, Reason::too_large, job.circuit + ": it has no partitions", {}};
  if (auto refused = never_fits_host(state, job)) return refused;
  if (state.devices.empty())
    return RefuseJob{job.ticket, Reason::no_device, "there is no device to prove on", std::chrono::seconds(30)};
  if (auto refused = never_fits_device(state, job)) return refused;
  return queue_full(state, job);
}

}  // namespace cuzk::engine
