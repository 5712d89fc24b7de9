#include "engine/scheduling/memory_usage.h"

#include <algorithm>

#include "engine/scheduling/state.h"

namespace cuzk::engine {

namespace {

MemoryShare share_of(const PooledMemory& memory, Pool pool) { return {memory.used(pool), memory.limit(pool)}; }

/// Ordinary lanes take turns, so that the largest counts; those that are stuck beside it are not told apart here.
u64 proofs_of(const SchedulerState& state, const DeviceState& device, Pool pool) {
  u64 bytes = 0;
  for (const auto& lane : device.lanes) {
    if (!lane) continue;
    const RunningBatch& batch = state.batches.at(*lane);
    if (batch.pool != pool) continue;
    bytes = pool == Pool::urgent ? bytes + batch.device_bytes : std::max(bytes, batch.device_bytes);
  }
  return bytes;
}

MemoryOfKey::State state_of(const DeviceKey& key) {
  switch (key.state) {
    case DeviceKey::State::loading: return MemoryOfKey::State::loading;
    case DeviceKey::State::resident: return MemoryOfKey::State::resident;
    default: return MemoryOfKey::State::evicting;
  }
}

MemoryOfDevice usage_of(const SchedulerState& state, const DeviceState& device) {
  MemoryOfDevice usage;
  usage.device = device.spec.id;
  usage.ordinary = share_of(device.memory, Pool::ordinary);
  usage.urgent = share_of(device.memory, Pool::urgent);
  usage.proofs = proofs_of(state, device, Pool::ordinary);
  usage.urgent_proofs = proofs_of(state, device, Pool::urgent);
  usage.ordinary.used += usage.proofs;
  usage.urgent.used += usage.urgent_proofs;
  for (const auto& [circuit, key] : device.keys)
    usage.keys.push_back({circuit, key.bytes, key.pool, state_of(key), key.batches});
  return usage;
}

}  // namespace

MemoryUsage memory_usage(const SchedulerState& state) {
  MemoryUsage usage{share_of(state.host, Pool::ordinary), share_of(state.host, Pool::urgent), {}};
  for (const auto& [id, device] : state.devices) usage.devices.push_back(usage_of(state, device));
  return usage;
}

}  // namespace cuzk::engine
