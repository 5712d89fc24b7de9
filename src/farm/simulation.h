/// A farm on paper: how many operations a second its database has to bear, and how long jobs wait for a daemon.
///
/// Daemons do what farm.h and worker.h do: submissions wake one of those that have room, ends are claimed after at once,
/// idle ones poll, all beat. Jobs come at random (Poisson) to random acceptors, in a day with a busy time; times of proofs
/// are random (exponential). No daemon dies. The same seed gives the same report.
#pragma once

#include <array>
#include <chrono>
#include <string_view>
#include <vector>

#include "base/types.h"
#include "farm/farm_options.h"

namespace cuzk::farm {

struct FarmLoad {
  u32 daemons = 1000;
  double jobs_a_day = 1e6;
  double job_seconds = 60;       ///< of a device, on average
  double critical_share = 0.02;  ///< of the jobs; they take a tenth of the time, in a lane of their own
  double busy_factor = 1.3;      ///< in two hours of the day so many times the average come
  double hours = 24;
  u64 seed = 1;
};

/// What the database is asked for.
enum class Operation : u8 { submit, claim, empty_claim, input, end, fetch, beat, look, sweep };
inline constexpr std::array kOperations{Operation::submit, Operation::claim, Operation::empty_claim,
                                        Operation::input,  Operation::end,   Operation::fetch,
                                        Operation::beat,   Operation::look,  Operation::sweep};
std::string_view name(Operation operation);

/// Whether its commit waits for the disk.
bool waits_for_disk(Operation operation);

struct FarmLoadReport {
  struct OfOperation {
    Operation operation{};
    u64 count = 0;
    double per_second = 0;  ///< on average
    u32 most = 0;           ///< in the busiest second
  };

  std::vector<OfOperation> operations;      ///< in the order of kOperations
  u32 most_together = 0, most_commits = 0;  ///< of all, and of those that wait for the disk, in their busiest seconds
  double seconds = 0;
  u64 jobs = 0, claimed = 0;
  std::chrono::milliseconds wait_median{}, wait_p99{}, wait_most{};  ///< from acceptance to the claim
  std::chrono::milliseconds critical_p99{}, critical_most{};         ///< the same of CRITICAL jobs
  double busy = 0;                                                   ///< share of the devices' time
};

/// Throws Error{invalid_input} for a load that cannot be.
FarmLoadReport simulate(const FarmLoad& load, const FarmOptions& options);

}  // namespace cuzk::farm
