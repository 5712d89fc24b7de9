#include "engine/scheduling/placement.h"

#include <algorithm>
#include <tuple>

namespace cuzk::engine {

namespace {

bool is_urgent(const ScheduledJob& job) { return job.spec.priority == Priority::critical; }

u64 host_need(const ScheduledJob& job) {
  return job.spec.memory.host_partition + (job.started() ? 0 : job.spec.memory.host_job);
}

bool holds(const DeviceState& device, const std::string& circuit, DeviceKey::State state) {
  const auto key = device.keys.find(circuit);
  return key != device.keys.end() && key->second.state == state;
}

}  // namespace

void Placement::run() {
  state_.next_placement.reset();
  load_wanted();
  while (start_one()) {
  }
  move_raised();
}

bool Placement::start_one() {
  hold_ = Hold::nobody;
  claims_.clear();
  leaving_.clear();
  kept_.clear();
  blocked_.clear();
  promised_.clear();
  const auto queues = state_.jobs.circuits_by_rank();
  return std::any_of(queues.begin(), queues.end(), [this](CircuitQueue* queue) { return consider(*queue); });
}

/// True when a batch was started.
bool Placement::consider(CircuitQueue& queue) {
  const ScheduledJob& head = first(queue.waiting);
  if (!at_limit(head)) {
    if (!held_back(head) && !host_pool(head)) hold_back_for(head);
    if (const ScheduledJob* job = startable(queue)) {
      if (const auto place = find_place(queue, *job)) {
        start(queue, *job, *place);
        return true;
      }
      prepare(queue, *job);
      return false;
    }
  }
  blocked_.insert(&queue);
  return false;
}

/// The first job that host memory and those before it allow to start a partition; null when there is none.
ScheduledJob* Placement::startable(const CircuitQueue& queue) {
  if (queue.waiting.empty()) return nullptr;
  ScheduledJob& head = first(queue.waiting);
  if (!held_back(head) && host_pool(head)) return &head;
  if (hold_ == Hold::everyone) return nullptr;
  for (const Rank& rank : queue.started) {  // not the first alone: the one that started last can always go on
    ScheduledJob& started = state_.jobs.at(rank.ticket);
    if (host_pool(started)) return &started;
  }
  return nullptr;
}

// Host memory.

std::optional<Pool> Placement::host_pool(const ScheduledJob& job) const {
  const u64 need = host_need(job);
  if (is_urgent(job) && need <= state_.host.available(Pool::urgent)) return Pool::urgent;
  if (need <= state_.host.available(Pool::ordinary)) return Pool::ordinary;
  return std::nullopt;
}

bool Placement::held_back(const ScheduledJob& job) const {
  if (hold_ == Hold::nobody || (hold_ == Hold::new_jobs && job.started())) return false;
  return !is_urgent(job) || host_need(job) > state_.host.available(Pool::urgent);
}

void Placement::hold_back_for(const ScheduledJob& job) {
  u64 stalled_partitions = 0, stalled_jobs = 0;
  std::set<Ticket> seen;
  for (const auto& [id, batch] : state_.batches) {
    if (!stalled(batch)) continue;
    for (const auto& [what, pool] : batch.partitions) {
      const ScheduledJob& owner = state_.jobs.at(what.ticket);
      if (pool == Pool::ordinary) stalled_partitions += owner.spec.memory.host_partition;
      if (owner.host == Pool::ordinary && seen.insert(what.ticket).second) stalled_jobs += owner.spec.memory.host_job;
    }
  }
  const u64 left = state_.host.limit(Pool::ordinary) - stalled_partitions;
  Hold hold = Hold::nobody;
  if (host_need(job) + stalled_jobs <= left) hold = Hold::new_jobs;
  if (host_need(job) + state_.host_of_jobs <= left) hold = Hold::everyone;
  hold_ = std::max(hold_, hold);
}

// Lanes.

/// Of its kind, everywhere.
bool Placement::at_limit(const ScheduledJob& job) const {
  if (is_urgent(job)) return false;
  const Kind kind = job.spec.kind;
  const auto of_kind = std::count_if(state_.batches.begin(), state_.batches.end(),
                                     [kind](const auto& entry) { return entry.second.kind == kind; });
  if (static_cast<u64>(of_kind) >= state_.policy.kinds[static_cast<std::size_t>(kind)].max_batches) return true;
  return std::all_of(state_.devices.begin(), state_.devices.end(),
                     [&](const auto& entry) { return at_limit_of(entry.second, job); });
}

/// Of its kind, there.
bool Placement::at_limit_of(const DeviceState& device, const ScheduledJob& job) const {
  if (is_urgent(job)) return false;
  const auto of_kind = std::count_if(device.lanes.begin(), device.lanes.end(), [&](const auto& lane) {
    return lane && state_.batches.at(*lane).kind == job.spec.kind;
  });
  return static_cast<u64>(of_kind) >= device.spec.lanes_of_kind;
}

/// Whether a batch need not wait for partners any more.
bool Placement::ripe(const CircuitQueue& queue, const ScheduledJob& head) {
  if (queue.partitions >= state_.policy.max_batch_size || head.rank.priority >= state_.policy.flush_from) return true;
  if (passed(head.rank.due - state_.policy.deadline_slack)) return true;
  const ScheduledJob& oldest = state_.jobs.at(queue.arrivals.begin()->second);
  return passed(oldest.submitted + state_.policy.max_batch_wait);
}

/// An urgent lane where it may have one, else the device with the least to do.
std::optional<Placement::Place> Placement::find_place(const CircuitQueue& queue, const ScheduledJob& head) {
  const bool is_ripe = ripe(queue, head);
  std::optional<Place> best;
  const auto cost = [](const Place& place) {
    return std::tuple(place.pool == Pool::urgent ? 0 : 1, place.device->batches());
  };
  for (auto& [id, device] : state_.devices) {
    if (!holds(device, queue.circuit, DeviceKey::State::resident) || leaving_.contains({id, queue.circuit})) continue;
    const auto place = place_on(device, head, is_ripe);
    if (place && (!best || cost(*place) < cost(*best))) best = place;
  }
  return best;
}

std::optional<Placement::Place> Placement::place_on(DeviceState& device, const ScheduledJob& head, bool is_ripe) {
  const u64 need = head.spec.memory.on(device.spec.id).partition;
  const auto urgent_lane = device.free_lane(Pool::urgent);
  if (is_urgent(head) && urgent_lane && need <= room_for_proof(device, Pool::urgent)) {
    return Place{&device, *urgent_lane, Pool::urgent};
  }
  const auto lane = device.free_lane(Pool::ordinary);
  if (!lane || at_limit_of(device, head) || need > room_for_proof(device, Pool::ordinary)) return std::nullopt;
  if (!is_ripe && device.batches() > 0) return std::nullopt;
  return Place{&device, *lane, Pool::ordinary};
}

void Placement::start(CircuitQueue& queue, const ScheduledJob& head, const Place& place) {
  const BatchId id = state_.next_batch++;
  RunningBatch& batch = state_.batches[id];
  batch.device = place.device->spec.id;
  batch.lane = place.lane;
  batch.pool = place.pool;
  batch.circuit = queue.circuit;
  batch.kind = head.spec.kind;
  batch.progressed = state_.now;
  const Priority priority = head.rank.priority;
  const u64 limit = share(queue, head.spec.memory.on(batch.device));
  const u64 room = room_for_proof(*place.device, place.pool);
  while (batch.partitions.size() < limit) {
    ScheduledJob* job = startable(queue);
    if (job == nullptr || job->rank.priority != priority) break;
    const u64 need = job->spec.memory.on(batch.device).partition;
    if (need > room) break;
    batch.device_bytes = std::max(batch.device_bytes, need);
    add_partition(batch, *job, host_pool(*job).value());
  }
  place.device->lanes[place.lane] = id;
  DeviceKey& key = place.device->keys.at(queue.circuit);
  ++key.batches;
  key.used = state_.now;
  StartBatch decision{id, batch.device, batch.lane, batch.circuit, {}};
  for (const auto& partition : batch.partitions) decision.partitions.push_back(partition.what);
  decisions_.emplace_back(std::move(decision));
}

/// How many partitions go into one batch: so that every free lane gets some, but no fewer than share a streamed key.
u64 Placement::share(const CircuitQueue& queue, const DeviceNeed& need) const {
  u64 lanes = 0;
  for (const auto& [id, device] : state_.devices) {
    if (!holds(device, queue.circuit, DeviceKey::State::resident)) continue;
    const auto begin = device.lanes.begin();
    lanes += static_cast<u64>(std::count(begin, begin + device.spec.lanes, std::nullopt));
  }
  lanes = std::max<u64>(lanes, 1);
  const u64 even = (queue.partitions + lanes - 1) / lanes;
  return std::min<u64>(state_.policy.max_batch_size, std::max<u64>(even, need.together));
}

void Placement::add_partition(RunningBatch& batch, ScheduledJob& job, Pool host) {
  const MemoryNeed& need = job.spec.memory;
  if (!job.started()) {
    state_.host.take(host, need.host_job);
    if (host == Pool::ordinary) state_.host_of_jobs += need.host_job;
    state_.jobs.start(job, host);
  }
  state_.host.take(host, need.host_partition);
  batch.priority = std::max(batch.priority, job.spec.priority);
  batch.partitions.push_back({{job.spec.ticket, state_.jobs.take_partition(job)}, host});
}

/// Asks batches of lower priority to leave their lanes, one for each job here that could then start.
void Placement::preempt_for(const CircuitQueue& queue) {
  for (const Rank& rank : queue.waiting) {
    const ScheduledJob& job = state_.jobs.at(rank.ticket);
    if (job.spec.priority < Priority::high) return;
    const bool leaves = std::any_of(state_.devices.begin(), state_.devices.end(), [&](auto& entry) {
      auto& [id, device] = entry;
      return holds(device, queue.circuit, DeviceKey::State::resident) && !leaving_.contains({id, queue.circuit}) &&
             preempt_on(device, job);
    });
    if (!leaves) return;
  }
}

bool Placement::preempt_on(DeviceState& device, const ScheduledJob& head) {
  std::optional<BatchId> victim;
  const auto cost = [this](BatchId id) {
    const RunningBatch& batch = state_.batches.at(id);
    return std::tuple(batch.preemption == RunningBatch::Preemption::none, batch.priority,
                      -static_cast<i64>(batch.partitions.size()));
  };
  for (const auto& lane : device.lanes) {
    if (!lane || promised_.contains(*lane) || !may_preempt(state_.batches.at(*lane), device, head)) continue;
    if (!victim || cost(*lane) < cost(*victim)) victim = lane;
  }
  if (!victim) return false;
  promised_.insert(*victim);
  RunningBatch& batch = state_.batches.at(*victim);
  if (batch.preemption == RunningBatch::Preemption::asked) return true;
  batch.preemption = RunningBatch::Preemption::asked;
  const bool at_once = is_urgent(head);
  decisions_.emplace_back(
      PreemptBatch{*victim, at_once ? PreemptBatch::Boundary::tile : PreemptBatch::Boundary::partition});
  return true;
}

bool Placement::may_preempt(const RunningBatch& batch, const DeviceState& device, const ScheduledJob& head) {
  if (batch.pool == Pool::urgent || batch.priority >= head.spec.priority) return false;
  if (batch.kind != head.spec.kind && at_limit_of(device, head)) return false;
  for (const auto& partition : batch.partitions) {
    if (state_.jobs.at(partition.what.ticket).preemptions >= state_.policy.max_preemptions) return false;
  }
  const u64 freed = stalled(batch) ? batch.device_bytes : 0;  // else they take turns
  if (head.spec.memory.on(device.spec.id).partition > room_for_proof(device, Pool::ordinary) + freed) return false;
  if (batch.preemption == RunningBatch::Preemption::asked) return true;
  return is_urgent(head) || batch.partitions.size() > 1;
}

/// Batches that became urgent in an ordinary lane leave it for urgent ones that nobody waits for: the youngest first, as it
/// has done the least. One at a time: whether it leaves or proves already is told before the next is asked.
void Placement::move_raised() {
  using Move = RunningBatch::Move;
  auto& batches = state_.batches;
  if (std::any_of(batches.begin(), batches.end(), [](const auto& each) { return each.second.move == Move::asked; }))
    return;
  for (auto each = batches.rbegin(); each != batches.rend(); ++each) {
    RunningBatch& batch = each->second;
    if (!may_move(batch) || !has_urgent_place(batch)) continue;
    batch.move = Move::asked;
    decisions_.emplace_back(PreemptBatch{each->first, PreemptBatch::Boundary::turn});
    return;
  }
}

bool Placement::may_move(const RunningBatch& batch) const {
  if (batch.pool == Pool::urgent || batch.priority == Priority::critical) return false;
  if (batch.move != RunningBatch::Move::none || batch.preemption == RunningBatch::Preemption::asked) return false;
  return std::any_of(batch.partitions.begin(), batch.partitions.end(), [this](const RunningPartition& each) {
    const ScheduledJob& job = state_.jobs.at(each.what.ticket);
    return is_urgent(job) && !job.ending;
  });
}

bool Placement::has_urgent_place(const RunningBatch& batch) {
  return std::any_of(state_.devices.begin(), state_.devices.end(), [&](const auto& entry) {
    const auto& [id, device] = entry;
    const ScheduledJob& job = state_.jobs.at(batch.partitions.front().what.ticket);
    return holds(device, batch.circuit, DeviceKey::State::resident) && device.free_lane(Pool::urgent) &&
           job.spec.memory.on(id).partition <= room_for_proof(device, Pool::urgent);
  });
}

bool Placement::passed(Time time) {
  if (time <= state_.now) return true;
  state_.next_placement = std::min(time, state_.next_placement.value_or(time));
  return false;
}

}  // namespace cuzk::engine
