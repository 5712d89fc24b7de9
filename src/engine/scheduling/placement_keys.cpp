// The part of Placement that moves keys.

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

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
  return can_hold(device, key, head, Pool::ordinary) ||
         (head.spec.priority == Priority::critical && can_hold(device, key, head, Pool::urgent));
}

bool Placement::can_hold(const DeviceState& device, const DeviceKey& key, const ScheduledJob& head, Pool pool) {
  const u64 own = key.pool == pool ? key.bytes : 0;
  const u64 need = head.spec.memory.on(device.spec.id).partition;
  return own + need + stalled_bytes(device, pool) <= device.memory.limit(pool);
}

/// The device has the key, but not the memory for a partition: lets it become free. False when that is not what lacks
/// or it cannot be.
bool Placement::make_room(DeviceState& device, const ScheduledJob& head) {
  const u64 need = head.spec.memory.on(device.spec.id).partition;
  const DeviceKey& key = *state_.key(device, head.spec.circuit);
  // Keys of urgent jobs do not leave for one that can run with the ordinary ones.
  const bool may_take_urgent = head.spec.priority == Priority::critical &&
                               (key.pool == Pool::urgent || !can_hold(device, key, head, Pool::ordinary));
  for (const Pool pool : {Pool::urgent, Pool::ordinary}) {
    if (pool == Pool::urgent && !may_take_urgent) continue;
    if (!device.free_lane(pool) || need <= room_for_proof(device, pool)) continue;
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
  for (auto& [id, device] : state_.devices) {
    const DeviceNeed need = head.spec.memory.on(id);
    for (const Pool pool : {Pool::urgent, Pool::ordinary}) {
      if (pool == Pool::urgent && head.spec.priority != Priority::critical) continue;
      if (device.keys.contains(queue.circuit)) continue;  // it is leaving
      auto room = eviction(device, pool, need.key + need.partition, head, Manner::needed);
      if (room && (!best || cost(*room) < cost(*best))) best = std::move(room);
    }
  }
  if (!best) return;
  evict(*best);
  const u64 bytes = head.spec.memory.on(best->device->spec.id).key;
  if (load(*best, queue.circuit, bytes)) return;
  if (best->pool == Pool::ordinary) claims_[best->device->spec.id] += bytes;
}

/// To a device with a free lane, without taking from anybody: when there is no room now, then perhaps later.
void Placement::copy_elsewhere(const CircuitQueue& queue, const ScheduledJob& head) {
  std::optional<Eviction> best;
  for (auto& [id, device] : state_.devices) {
    const DeviceNeed need = head.spec.memory.on(id);
    if (const DeviceKey* key = state_.key(device, queue.circuit)) {
      if (key->state == DeviceKey::State::loading) return;
      continue;
    }
    if (!device.free_lane(Pool::ordinary) || has_failed(device, queue.circuit)) continue;
    auto room = eviction(device, Pool::ordinary, need.key + need.partition, head, Manner::spare);
    if (room && room->bytes + room_for_key(device, Pool::ordinary) < need.key) continue;  // it would help later only
    if (room && (!best || room->bytes < best->bytes)) best = std::move(room);
  }
  if (!best) return;
  evict(*best);
  load(*best, queue.circuit, head.spec.memory.on(best->device->spec.id).key);
}

/// Keys that somebody asked for. Those that take the place of others are loaded once these are gone.
void Placement::load_wanted() {
  std::erase_if(state_.wanted, [this](const KeyWanted& wanted) {
    const auto device = state_.devices.find(wanted.device);
    if (device == state_.devices.end() || state_.key(device->second, wanted.circuit) != nullptr) return true;
    const auto room = room_for_wanted(wanted);
    if (room) {
      evict(*room);
      return load(*room, wanted.circuit, wanted.bytes);
    }
    const Pool pool = wanted.use == KeyWanted::Use::urgent ? Pool::urgent : Pool::ordinary;
    decisions_.emplace_back(
        KeyRefused{wanted.device, wanted.circuit,
                   fmt::format("the key of {}: it needs {} bytes, {} of {} are free", wanted.circuit, wanted.bytes,
                               room_for_key(device->second, pool), device->second.memory.limit(pool))});
    return true;
  });
}

/// What runs is not waited for. A copy takes free memory only, a first key also that of keys that were long unused.
std::optional<Placement::Eviction> Placement::room_for_wanted(const KeyWanted& wanted) {
  DeviceState& device = state_.devices.at(wanted.device);
  const Pool pool = wanted.use == KeyWanted::Use::urgent ? Pool::urgent : Pool::ordinary;
  u64 taken = device.memory.limit(pool) - room_for_key(device, pool);
  std::vector<std::string> candidates;
  const bool is_copy = std::any_of(state_.devices.begin(), state_.devices.end(),
                                   [&](const auto& entry) { return entry.second.keys.contains(wanted.circuit); });
  for (const auto& [circuit, key] : device.keys) {
    if (key.pool != pool) continue;
    if (key.state == DeviceKey::State::evicting) taken -= std::min(taken, key.bytes);
    if (key.state != DeviceKey::State::resident || key.batches > 0 || is_copy || demand(circuit) != nullptr) continue;
    if (passed(key.used + state_.policy.spread_min_idle)) candidates.push_back(circuit);
  }
  return choose(device, pool, wanted.bytes, taken, candidates);
}

/// Whether the device could not load the key, so lately that it need not be tried again.
bool Placement::has_failed(const DeviceState& device, const std::string& circuit) {
  const auto failed = device.failed_loads.find(circuit);
  return failed != device.failed_loads.end() && !passed(failed->second + state_.policy.spread_min_idle);
}

/// The keys that must go for so many bytes to be free once what runs has ended; nothing when they cannot be.
std::optional<Placement::Eviction> Placement::eviction(DeviceState& device, Pool pool, u64 bytes,
                                                       const ScheduledJob& head, Manner manner) {
  std::vector<std::string> candidates;
  u64 taken = stalled_bytes(device, pool);
  if (pool == Pool::ordinary && claims_.contains(device.spec.id)) taken += claims_.at(device.spec.id);
  for (const auto& [circuit, key] : device.keys) {
    if (key.pool != pool || key.state == DeviceKey::State::evicting) continue;
    if (leaving_.contains({device.spec.id, circuit})) continue;
    taken += key.bytes;
    if (may_evict(device, circuit, head, manner)) candidates.push_back(circuit);
  }
  return choose(device, pool, bytes, taken, std::move(candidates));
}

/// Of these keys those that must go for `bytes` more than `taken` to fit: first those that nobody waits for, then the
/// cheapest to load again for what they free and the time that they have been unused. None goes without need.
std::optional<Placement::Eviction> Placement::choose(DeviceState& device, Pool pool, u64 bytes, u64 taken,
                                                     std::vector<std::string> candidates) {
  const u64 limit = device.memory.limit(pool);
  const auto order = [&](const std::string& circuit) {
    const DeviceKey& key = device.keys.at(circuit);
    const double idle = std::chrono::duration<double>(state_.now - key.used).count() + 1;
    return std::tuple(demand(circuit) != nullptr, key.cost() / idle, key.used, circuit);
  };
  std::sort(candidates.begin(), candidates.end(), [&](const auto& a, const auto& b) { return order(a) < order(b); });
  Eviction result{&device, pool, {}, 0};
  for (auto& circuit : candidates) {
    if (taken + bytes <= limit) break;
    taken -= device.keys.at(circuit).bytes;
    result.victims.push_back(std::move(circuit));
  }
  if (taken + bytes > limit) return std::nullopt;
  for (std::size_t i = result.victims.size(); i-- > 0;) {  // a large one may have made small ones needless
    const u64 freed = device.keys.at(result.victims[i]).bytes;
    const bool may_stay = taken + freed + bytes <= limit;
    if (may_stay) {
      taken += freed;
      result.victims.erase(result.victims.begin() + static_cast<std::ptrdiff_t>(i));
    } else {
      result.bytes += freed;
    }
  }
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
  const bool impatient =
      passed(head.submitted + state_.policy.swap_patience) || passed(head.rank.due - state_.policy.deadline_slack);
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
bool Placement::load(const Eviction& eviction, const std::string& circuit, u64 bytes) {
  DeviceState& device = *eviction.device;
  if (bytes > room_for_key(device, eviction.pool) || (device.is_tight && device.is_evicting())) return false;
  device.memory.take(eviction.pool, bytes);
  const Time now = state_.now;
  device.keys[circuit] = {DeviceKey::State::loading, bytes, eviction.pool, 0, now, now, now};
  decisions_.emplace_back(LoadKey{device.spec.id, circuit});
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
    if (batch.pool == pool && stalled(batch)) bytes += batch.device_bytes;
  }
  return bytes;
}

/// What proofs there take. Ordinary lanes take turns, but one that is stalled may never give its own back.
Placement::ProofBytes Placement::proofs(const DeviceState& device, Pool pool) {
  ProofBytes bytes;
  for (const auto& lane : device.lanes) {
    if (!lane) continue;
    const RunningBatch& batch = state_.batches.at(*lane);
    if (batch.pool != pool) continue;
    if (pool == Pool::urgent || stalled(batch)) {
      bytes.beside += batch.device_bytes;
    } else {
      bytes.in_turn = std::max(bytes.in_turn, batch.device_bytes);
    }
  }
  return bytes;
}

/// What is neither the keys' nor claimed.
u64 Placement::unclaimed(const DeviceState& device, Pool pool) const {
  const u64 free = device.memory.available(pool);
  const auto claim = claims_.find(device.spec.id);
  if (pool == Pool::urgent || claim == claims_.end()) return free;
  return free - std::min(free, claim->second);
}

u64 Placement::room_for_proof(const DeviceState& device, Pool pool) {
  const u64 free = unclaimed(device, pool);
  return free - std::min(free, proofs(device, pool).beside);
}

u64 Placement::room_for_key(const DeviceState& device, Pool pool) {
  const u64 free = unclaimed(device, pool);
  const ProofBytes taken = proofs(device, pool);
  return free - std::min(free, taken.in_turn + taken.beside);
}

}  // namespace cuzk::engine
