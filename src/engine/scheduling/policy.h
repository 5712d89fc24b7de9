/// How the scheduler decides: budgets, limits and times, all in one place.
#pragma once

#include <array>
#include <chrono>
#include <limits>

#include "base/types.h"
#include "engine/request.h"

namespace cuzk::engine {

/// The scheduler reads no clock: every time is given to it. A test begins at Time{}.
using Time = std::chrono::steady_clock::time_point;
using Duration = std::chrono::steady_clock::duration;

/// Limits of one kind of proof, so that none takes all of what is shared.
struct KindLimits {
  u32 max_queued = 10'000;                            ///< jobs that have not started; more are refused
  u32 max_batches = std::numeric_limits<u32>::max();  ///< at a time, over all devices; not for CRITICAL
};

/// In which order circuits take turns on a device that cannot hold the keys of all.
enum class KeyOrder : u8 {
  by_rank,  ///< the job whose turn it is, whatever key it needs
  by_type,  ///< the jobs of a loaded key first, as long as nobody waits too long for it (swap_patience)
};

struct SchedulerPolicy {
  // Host memory, in bytes. What runs stays below host_budget, what is accepted and not ended below input_budget: the
  // two together are never exceeded.
  u64 host_budget = u64{16} << 30;  ///< of everything that runs
  u64 urgent_host = u64{1} << 30;   ///< the part of it that only urgent jobs get
  u64 input_budget = u64{4} << 30;  ///< of the inputs of all jobs; of one kind 3/4; 1/16 is for CRITICAL alone

  std::array<KindLimits, kKinds.size()> kinds{};  ///< by the number of the kind

  // Batches: partitions of one circuit and one priority, of any jobs, that share the reading of a key.
  u32 max_batch_size = 1;                              ///< partitions
  Duration max_batch_wait = std::chrono::seconds(10);  ///< for partners, while the device has other work
  Priority flush_from = Priority::high;                ///< these do not wait for partners
  Duration deadline_slack = std::chrono::minutes(2);   ///< nor do those whose deadline is as near as this

  // Order. A job rises by one priority for each aging_step that it waits, never above aging_ceiling: a backlog of
  // sectors that rose as high as WindowPoSt would make those late. Inside a priority the earliest deadline, or time until which somebody waits, goes first; a
  // job without one, or with a late one, is treated as if it were due after `patience`: it is passed by only so long.
  Duration aging_step = std::chrono::minutes(10);
  Priority aging_ceiling = Priority::normal;
  Duration patience = std::chrono::hours(6);

  // Keys.
  KeyOrder key_order = KeyOrder::by_type;
  Duration swap_patience =
      std::chrono::minutes(5);  ///< by_type: a job that waited so long may have a key in use replaced
  Duration min_residency =
      std::chrono::minutes(2);  ///< a key serves so long before one of the same priority replaces it
  u32 spread_backlog = 20;      ///< waiting partitions for each device that has their key, before another loads it
  Duration spread_min_idle = std::chrono::minutes(5);  ///< a key unused for so long gives way to such a copy

  // Faults.
  Duration stall_after =
      std::chrono::minutes(10);  ///< a batch without progress for so long is not waited for by others
  u32 max_losses = 3;            ///< devices lost under a job's partitions before it fails
  u32 max_preemptions = 3;       ///< of one job's partitions, before it is left to finish
};

/// Throws Error{invalid_input} naming the field that cannot be.
void check(const SchedulerPolicy& policy);

}  // namespace cuzk::engine
