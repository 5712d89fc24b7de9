/// Everything that the scheduler knows; what changes it is in scheduler.cpp (events) and placement.cpp (decisions).
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/scheduling/messages.h"
#include "engine/scheduling/policy.h"
#include "engine/scheduling/pooled_memory.h"
#include "engine/scheduling/scheduler.h"
#include "engine/scheduling/waiting_jobs.h"

namespace cuzk::engine {

/// A key on a device. It holds its memory in all three states.
struct DeviceKey {
  enum class State : u8 { loading, resident, evicting };

  State state = State::loading;
  u64 bytes = 0;
  Pool pool = Pool::ordinary;
  u32 batches = 0;    ///< that use it
  Time loaded, used;  ///< since when it is resident; when a batch used it last
  Time asked = {};    ///< when its loading began

  /// What loading it again takes, as long as it took this time: seconds for each byte that it would free.
  double cost() const {
    return std::chrono::duration<double>(loaded - asked).count() / static_cast<double>(std::max<u64>(bytes, 1));
  }
};

struct DeviceState {
  explicit DeviceState(const DeviceSpec& device)
      : spec(device), memory(device.memory, device.urgent_memory), lanes(device.lanes + device.urgent_lanes) {}

  /// A free lane of that pool.
  std::optional<u32> free_lane(Pool pool) const {
    const auto begin = lanes.begin() + (pool == Pool::urgent ? spec.lanes : 0);
    const auto end = pool == Pool::urgent ? lanes.end() : lanes.begin() + spec.lanes;
    const auto lane = std::find(begin, end, std::nullopt);
    return lane == end ? std::nullopt : std::optional(static_cast<u32>(lane - lanes.begin()));
  }

  std::size_t batches() const {
    return lanes.size() - static_cast<std::size_t>(std::count(lanes.begin(), lanes.end(), std::nullopt));
  }

  bool is_evicting() const {
    return std::any_of(keys.begin(), keys.end(),
                       [](const auto& entry) { return entry.second.state == DeviceKey::State::evicting; });
  }

  DeviceSpec spec;
  PooledMemory memory;  ///< of keys; what partitions take is in their batches
  std::vector<std::optional<BatchId>> lanes;
  std::map<std::string, DeviceKey> keys;
  std::map<std::string, Time> failed_loads;  ///< of keys that it could not load: when it tried last
  bool is_tight = false;                     ///< a load lacked room that the budget had: the next waits for evictions
};

/// A partition that runs, and where its memory is taken from.
struct RunningPartition {
  PartitionOfJob what;
  Pool host;
};

struct RunningBatch {
  DeviceId device = 0;
  u32 lane = 0;
  Pool pool = Pool::ordinary;  ///< of the device's memory
  std::string circuit;
  Kind kind = Kind::porep;
  Priority priority = Priority::low;         ///< the highest asked for by its jobs
  u64 device_bytes = 0;                      ///< the most that one of its partitions takes there
  std::vector<RunningPartition> partitions;  ///< not reported yet
  Time progressed;
  enum class Preemption : u8 { none, asked } preemption = Preemption::none;
  /// To an urgent lane, as a job of it became CRITICAL after the start; refused: it proves already.
  enum class Move : u8 { none, asked, refused } move = Move::none;
};

/// How fast jobs of a kind come to their end, for retry hints.
struct CompletionRate {
  std::optional<Time> last;
  Duration interval = std::chrono::seconds(10);
};

struct SchedulerState {
  explicit SchedulerState(const SchedulerPolicy& given)
      : policy(given), jobs(policy), host(given.host_budget, given.urgent_host) {}

  const SchedulerPolicy policy;
  Time now{};
  WaitingJobs jobs;
  PooledMemory host;
  u64 host_of_jobs = 0;  ///< the part of the ordinary host memory that jobs hold until their end
  u64 input_bytes = 0;
  std::array<u64, kKinds.size()> input_bytes_of{};  ///< the same by kind
  std::map<DeviceId, DeviceState> devices;
  std::map<BatchId, RunningBatch> batches;
  BatchId next_batch = 1;
  std::array<CompletionRate, kKinds.size()> rates{};
  std::optional<Time> next_placement;  ///< when placement might decide otherwise without an event
  std::vector<KeyWanted> wanted;       ///< keys for which room is being made

  DeviceKey* key(DeviceState& device, const std::string& circuit) {
    const auto found = device.keys.find(circuit);
    return found == device.keys.end() ? nullptr : &found->second;
  }
};

}  // namespace cuzk::engine
