#include "engine/scheduling/waiting_jobs.h"

#include <algorithm>

namespace cuzk::engine {

namespace {

Priority raised(Priority priority, i64 steps, Priority ceiling) {
  if (priority >= ceiling) return priority;
  const auto room = static_cast<i64>(ceiling) - static_cast<i64>(priority);
  return static_cast<Priority>(static_cast<i64>(priority) + std::min(steps, room));
}

}  // namespace

ScheduledJob& WaitingJobs::add(const JobSpec& spec, Time now) {
  const auto [place, added] = jobs_.try_emplace(spec.ticket);
  if (!added) throw internal_error("scheduler: ticket {} was given twice", spec.ticket);
  ScheduledJob& job = place->second;
  job.spec = spec;
  job.submitted = now;
  job.rank.number = next_number_++;
  job.rank.ticket = spec.ticket;
  job.rank = rank_of(job, now);
  CircuitQueue& queue = circuits_[spec.circuit];
  queue.circuit = spec.circuit;
  queue.partitions += job.waiting();
  insert(job);
  watch(job, now);
  ++counts_[static_cast<std::size_t>(spec.kind)].queued;
  return job;
}

ScheduledJob* WaitingJobs::find(Ticket ticket) {
  const auto found = jobs_.find(ticket);
  return found == jobs_.end() ? nullptr : &found->second;
}

ScheduledJob& WaitingJobs::at(Ticket ticket) { return jobs_.at(ticket); }

u32 WaitingJobs::take_partition(ScheduledJob& job) {
  const bool last = job.waiting() == 1;
  u32 partition = job.untouched;
  if (job.again.empty()) {
    ++job.untouched;
  } else {
    const auto lowest = std::min_element(job.again.begin(), job.again.end());
    partition = *lowest;
    job.again.erase(lowest);
  }
  ++job.running;
  --queue_of(job).partitions;
  if (last) remove(job);
  return partition;
}

void WaitingJobs::give_back(ScheduledJob& job, u32 partition) {
  --job.running;
  job.again.push_back(partition);
  ++queue_of(job).partitions;
  if (job.waiting() == 1) insert(job);
}

void WaitingJobs::start(ScheduledJob& job, Pool pool) {
  job.host = pool;
  if (job.waiting() > 0) queue_of(job).started.insert(job.rank);
  auto& count = counts_[static_cast<std::size_t>(job.spec.kind)];
  --count.queued;
  ++count.running;
}

void WaitingJobs::withdraw(ScheduledJob& job) {
  if (job.waiting() > 0) remove(job);
  queue_of(job).partitions -= job.waiting();
  job.again.clear();
  job.untouched = job.spec.partitions;
  unwatch(job);
}

void WaitingJobs::erase(ScheduledJob& job) {
  withdraw(job);
  auto& count = counts_[static_cast<std::size_t>(job.spec.kind)];
  --(job.started() ? count.running : count.queued);
  jobs_.erase(job.spec.ticket);
}

void WaitingJobs::join(ScheduledJob& job, Priority priority, std::optional<Time> deadline, Time now) {
  unwatch(job);
  job.spec.priority = std::max(job.spec.priority, priority);
  if (job.spec.deadline) job.spec.deadline = deadline ? std::max(*job.spec.deadline, *deadline) : deadline;
  rerank(job, now);
  watch(job, now);
}

void WaitingJobs::await(ScheduledJob& job, Time wanted, Time now) {
  job.spec.wanted = std::min(wanted, job.spec.wanted.value_or(wanted));
  rerank(job, now);
}

void WaitingJobs::promote(Time now) {
  while (!rises_.empty() && rises_.begin()->first <= now) {
    ScheduledJob& job = at(rises_.begin()->second);
    unwatch(job);
    rerank(job, now);
    watch(job, now);
  }
}

std::vector<Ticket> WaitingJobs::expired(Time now) const {
  std::vector<Ticket> result;
  for (auto next = deadlines_.begin(); next != deadlines_.end() && next->first <= now; ++next)
    result.push_back(next->second);
  return result;
}

std::optional<Time> WaitingJobs::next_change() const {
  if (deadlines_.empty() && rises_.empty()) return std::nullopt;
  if (rises_.empty()) return deadlines_.begin()->first;
  if (deadlines_.empty()) return rises_.begin()->first;
  return std::min(deadlines_.begin()->first, rises_.begin()->first);
}

std::optional<std::size_t> WaitingJobs::position(Ticket ticket) const {
  const auto found = jobs_.find(ticket);
  if (found == jobs_.end() || found->second.waiting() == 0) return std::nullopt;
  return order_.order_of_key(found->second.rank);
}

std::vector<CircuitQueue*> WaitingJobs::circuits_by_rank() {
  std::vector<CircuitQueue*> result;
  for (auto& [id, queue] : circuits_)
    if (!queue.waiting.empty()) result.push_back(&queue);
  std::sort(result.begin(), result.end(),
            [](const auto* a, const auto* b) { return *a->waiting.begin() < *b->waiting.begin(); });
  return result;
}

CircuitQueue* WaitingJobs::circuit(const std::string& id) {
  const auto found = circuits_.find(id);
  return found == circuits_.end() ? nullptr : &found->second;
}

Rank WaitingJobs::rank_of(const ScheduledJob& job, Time now) const {
  Rank rank = job.rank;
  rank.priority = raised(job.spec.priority, (now - job.submitted) / policy_.aging_step, policy_.aging_ceiling);
  rank.due = job.submitted + policy_.patience;
  for (const auto& due : {job.spec.deadline, job.spec.wanted})
    if (due) rank.due = std::min(rank.due, *due);
  return rank;
}

void WaitingJobs::insert(ScheduledJob& job) {
  CircuitQueue& queue = queue_of(job);
  queue.waiting.insert(job.rank);
  if (job.started()) queue.started.insert(job.rank);
  queue.arrivals[job.rank.number] = job.spec.ticket;
  order_.insert(job.rank);
}

void WaitingJobs::remove(ScheduledJob& job) {
  CircuitQueue& queue = queue_of(job);
  queue.waiting.erase(job.rank);
  queue.started.erase(job.rank);
  queue.arrivals.erase(job.rank.number);
  order_.erase(job.rank);
}

void WaitingJobs::rerank(ScheduledJob& job, Time now) {
  const bool waits = job.waiting() > 0;
  if (waits) remove(job);
  job.rank = rank_of(job, now);
  if (waits) insert(job);
}

void WaitingJobs::watch(ScheduledJob& job, Time now) {
  if (job.spec.deadline) deadlines_.insert({*job.spec.deadline, job.spec.ticket});
  if (job.rank.priority >= policy_.aging_ceiling) return;
  const auto steps = (now - job.submitted) / policy_.aging_step + 1;
  job.rises = job.submitted + steps * policy_.aging_step;
  rises_.insert({*job.rises, job.spec.ticket});
}

void WaitingJobs::unwatch(ScheduledJob& job) {
  if (job.spec.deadline) deadlines_.erase({*job.spec.deadline, job.spec.ticket});
  if (job.rises) rises_.erase({*job.rises, job.spec.ticket});
  job.rises.reset();
}

}  // namespace cuzk::engine
