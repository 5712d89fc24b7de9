// The part of Placement that moves keys.

#include <algorithm>
#include <tuple>

#include "engine/scheduling/placement.h"

namespace cuzk::engine {

/// Its first job found no place: sees to it that there will be one.
void Placement::prepare(const CircuitQueue& queue, const ScheduledJob& head) {
  std::size_t holders = 0;
  bool coming = false;
  for (auto& [id, device] : state_.devices) {
    const DeviceKey* key = state_.key(device, queue.circuit);
    if (key == nullptr || key->state == DeviceKey::State::evicting || !can_hold(device, *key, head)) continue;
    ++holders;
    const bool usable = key->state == DeviceKey::State::resident && !leaving_.contains({id, queue.circuit});
    if (usable && !coming) coming = make_room(device, head);
  }
  if (holders == 0) load_somewhere(queue, head);
  if (holders > 0 && queue.partitions > state_.policy.spread_backlog * holders) copy_elsewhere(queue, head);
  preempt_for(queue);
}

/// Whether a device with this key can ever run a partition of the job, as long as what is stalled there stays.
bool Placement::can_hold(const DeviceState& device, const DeviceKey& key, const ScheduledJob& head) {
  const auto fits = [&](Pool pool) {
    const u64 own = key.pool == pool ? key.bytes : 0;
    return own + head.spec.memory.device_partition + stalled_bytes(device, pool) <= device.memory.limit(pool);
  };
  return fits(Pool::ordinary) || (head.spec.priority == Priority::critical && fits(Pool::urgent));
}

/// The device has the key, but not the memory for a partition: lets it become free. False when that is not what lacks
/// or it cannot be.
bool Placement::make_room(DeviceState& device, const ScheduledJob& head) {
  const u64 need = head.spec.memory.device_partition;
  for (const Pool pool : {Pool::urgent, Pool::ordinary}) {
    if (pool == Pool::urgent && head.spec.priority != Priority::critical) continue;
    if (!device.free_lane(pool) || need <= available(device, pool)) continue;
    if (pool == Pool::ordinary && at_limit_of(device, head)) continue;
    const auto room = eviction(device, pool, need, head, Manner::needed);
    if (!room) continue;
    evict(*room);
    kept_.insert({device.spec.id, head.spec.circuit});
    if (pool == Pool::ordinary) claims_[device.spec.id] += need;
    return true;
  }
  return false;
}

void Placement::load_somewhere(const CircuitQueue& queue, const ScheduledJob& head) {
  std::optional<Eviction> best;
  const auto cost = [](const Eviction& each) {
    return std::tuple(each.pool == Pool::urgent ? 0 : 1, each.bytes, each.device->batches());
  };
  const u64 need = queue.key_bytes + head.spec.memory.device_partition;
  for (auto& [id, device] : state_.devices) {
    for (const Pool pool : {Pool::urgent, Pool::ordinary}) {
      if (pool == Pool::urgent && head.spec.priority != Priority::critical) continue;
      if (device.keys.contains(queue.circuit)) continue;  // it is leaving
      auto room = eviction(device, pool, need, head, Manner::needed);
      if (room && (!best || cost(*room) < cost(*best))) best = std::move(room);
    }
  }
  if (!best) return;
  evict(*best);
  if (load(*best, queue)) return;
  if (best->pool == Pool::ordinary) claims_[best->device->spec.id] += queue.key_bytes;
}

/// To a device with a free lane, without taking from anybody: when there is no room now, then perhaps later.
void Placement::copy_elsewhere(const CircuitQueue& queue, const ScheduledJob& head) {
  std::optional<Eviction> best;
  const u64 need = queue.key_bytes + head.spec.memory.device_partition;
  for (auto& [id, device] : state_.devices) {
    if (const DeviceKey* key = state_.key(device, queue.circuit)) {
      if (key->state == DeviceKey::State::loading) return;
      continue;
    }
    if (!device.free_lane(Pool::ordinary) || has_failed(device, queue.circuit)) continue;
    auto room = eviction(device, Pool::ordinary, need, head, Manner::spare);
    if (room && room->bytes + available(device, Pool::ordinary) < need) continue;  // it would help later only
    if (room && (!best || room->bytes < best->bytes)) best = std::move(room);
  }
  if (!best) return;
  evict(*best);
  load(*best, queue);
}

/// Whether the device could not load the key, so lately that it need not be tried again.
bool Placement::has_failed(const DeviceState& device, const std::string& circuit) {
  const auto failed = device.failed_loads.find(circuit);
  return failed != device.failed_loads.end() && !passed(failed->second + state_.policy.spread_min_idle);
}

/// The keys that must go for so many bytes to be free once what runs has ended; nothing when they cannot be.
std::optional<Placement::Eviction> Placement::eviction(DeviceState& device, Pool pool, u64 bytes,
                                                       const ScheduledJob& head, Manner manner) {
  std::vector<std::tuple<bool, Time, std::string>> candidates;
  u64 taken = stalled_bytes(device, pool);
  if (pool == Pool::ordinary && claims_.contains(device.spec.id)) taken += claims_.at(device.spec.id);
  for (const auto& [circuit, key] : device.keys) {
    if (key.pool != pool || key.state == DeviceKey::State::evicting) continue;
    if (leaving_.contains({device.spec.id, circuit})) continue;
    taken += key.bytes;
    if (may_evict(device, circuit, head, manner))
      candidates.emplace_back(demand(circuit) != nullptr, key.used, circuit);
  }
  std::sort(candidates.begin(), candidates.end());
  Eviction result{&device, pool, {}, 0};
  for (const auto& [demanded, used, circuit] : candidates) {
    if (taken + bytes <= device.memory.limit(pool)) break;
    const u64 freed = device.keys.at(circuit).bytes;
    taken -= freed;
    result.bytes += freed;
    result.victims.push_back(circuit);
  }
  if (taken + bytes > device.memory.limit(pool)) return std::nullopt;
  return result;
}

bool Placement::may_evict(const DeviceState& device, const std::string& circuit, const ScheduledJob& head,
                          Manner manner) {
  const DeviceKey& key = device.keys.at(circuit);
  if (circuit == head.spec.circuit || key.state != DeviceKey::State::resident) return false;
  if (kept_.contains({device.spec.id, circuit})) return false;
  for (const auto& lane : device.lanes) {
    if (lane && state_.batches.at(*lane).circuit == circuit && stalled(state_.batches.at(*lane))) return false;
  }
  const CircuitQueue* waiting = demand(circuit);
  if (manner == Manner::spare) {
    return waiting == nullptr && key.batches == 0 && passed(key.used + state_.policy.spread_min_idle);
  }
  if (waiting == nullptr) return true;
  const ScheduledJob& owner = state_.jobs.at(waiting->waiting.begin()->ticket);
  if (elsewhere(device, circuit) && head.rank.priority >= owner.rank.priority &&
      passed(key.loaded + state_.policy.min_residency)) {
    return true;
  }
  return may_displace(key, owner, head);
}

/// Whether another device has this key too and will keep it.
bool Placement::elsewhere(const DeviceState& device, const std::string& circuit) const {
  return std::any_of(state_.devices.begin(), state_.devices.end(), [&](const auto& entry) {
    const auto& [id, other] = entry;
    const auto key = other.keys.find(circuit);
    return &other != &device && key != other.keys.end() && key->second.state == DeviceKey::State::resident &&
           !leaving_.contains({id, circuit});
  });
}

/// Whether the key that `owner` waits to use may go so that `head` can start.
bool Placement::may_displace(const DeviceKey& key, const ScheduledJob& owner, const ScheduledJob& head) {
  if (head.rank.priority != owner.rank.priority) return head.rank.priority > owner.rank.priority;
  if (!(head.rank < owner.rank)) return false;
  if (state_.policy.key_order == KeyOrder::by_rank) return true;
  const bool impatient = passed(head.submitted + state_.policy.swap_patience) ||
                         (head.spec.deadline && passed(*head.spec.deadline - state_.policy.deadline_slack));
  return impatient && passed(key.loaded + state_.policy.min_residency);
}

/// Those that nobody uses go now; the others are not used by anybody new.
void Placement::evict(const Eviction& eviction) {
  for (const std::string& circuit : eviction.victims) {
    DeviceKey& key = eviction.device->keys.at(circuit);
    leaving_.insert({eviction.device->spec.id, circuit});
    if (key.batches > 0) continue;
    key.state = DeviceKey::State::evicting;
    decisions_.emplace_back(EvictKey{eviction.device->spec.id, circuit});
  }
}

/// True when the memory is free.
bool Placement::load(const Eviction& eviction, const CircuitQueue& queue) {
  DeviceState& device = *eviction.device;
  if (queue.key_bytes > available(device, eviction.pool)) return false;
  device.memory.take(eviction.pool, queue.key_bytes);
  device.keys[queue.circuit] = {DeviceKey::State::loading, queue.key_bytes, eviction.pool, 0, state_.now, state_.now};
  decisions_.emplace_back(LoadKey{device.spec.id, queue.circuit});
  return true;
}

/// Jobs that wait for a key and could use it; null when there are none.
const CircuitQueue* Placement::demand(const std::string& circuit) {
  const CircuitQueue* queue = state_.jobs.circuit(circuit);
  return queue == nullptr || queue->waiting.empty() || blocked_.contains(queue) ? nullptr : queue;
}

u64 Placement::stalled_bytes(const DeviceState& device, Pool pool) {
  u64 bytes = 0;
  for (const auto& lane : device.lanes) {
    if (!lane) continue;
    const RunningBatch& batch = state_.batches.at(*lane);
    if (batch.pool != pool || !stalled(batch)) continue;
    for (const auto& partition : batch.partitions)
      bytes += state_.jobs.at(partition.what.ticket).spec.memory.device_partition;
  }
  return bytes;
}

u64 Placement::available(const DeviceState& device, Pool pool) const {
  const u64 free = device.memory.available(pool);
  const auto claim = claims_.find(device.spec.id);
  if (pool == Pool::urgent || claim == claims_.end()) return free;
  return free - std::min(free, claim->second);
}

}  // namespace cuzk::engine
