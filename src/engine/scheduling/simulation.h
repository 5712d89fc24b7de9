/// A provider's days in milliseconds: the scheduler, a load, and devices that only take time.
///
/// A batch proves its partitions one after another. Each takes the host's time in its lane (so that two lanes overlap), then
/// the device's, which does one at a time: an urgent one at once, what it was doing goes on after it. Host threads
/// are not counted: each lane has enough of them.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "engine/scheduling/messages.h"
#include "engine/scheduling/provider_load.h"

namespace cuzk::engine {

struct SimulatedMachine {
  u32 gpus = 1;
  u64 gpu_memory = u64{139} << 30;
  u64 urgent_memory = u64{4} << 30;
  u32 lanes = 2;                                   ///< ordinary ones of each device; there is one urgent lane more
  Duration tile = std::chrono::milliseconds(100);  ///< the longest time from a request to stop to its effect
};

/// Of the jobs of one kind.
struct SimulatedKind {
  u64 jobs = 0, completed = 0;
  u64 missed = 0;                                   ///< not proved at their deadline
  u64 refused = 0;                                  ///< not accepted
  Duration wait_median{}, wait_p99{}, wait_most{};  ///< from the request to the first partition's start
  Duration total_p99{};                             ///< from the request to the proof, of those completed
};

struct SimulatedDevice {
  double busy = 0;  ///< share of the time in which it proved
  u64 key_loads = 0;
};

struct SimulationReport {
  std::array<SimulatedKind, kKinds.size()> kinds;
  std::vector<SimulatedDevice> devices;
  u64 events = 0, preemptions = 0;

  /// Nothing was late or refused.
  bool all_in_time() const;
};

SimulationReport simulate(const ProviderRates& rates, const ProviderProfile& profile, const SimulatedMachine& machine,
                          const SchedulerPolicy& policy);

/// The fewest devices with which all is in time; nothing when `most` are not enough.
std::optional<u32> gpus_needed(const ProviderRates& rates, const ProviderProfile& profile, SimulatedMachine machine,
                               const SchedulerPolicy& policy, u32 most);

}  // namespace cuzk::engine
