/// A daemon's part in a farm: it accepts jobs into the queue that all share, proves what it claims from it, and tells
/// results whoever proved them.
///
/// What it promises: a job is told to its caller when it is committed; a result is what the table says, so that all
/// daemons tell the same one; where the database is gone, nothing is accepted (Error{unavailable} with the reason), what
/// runs goes on, who waits goes on waiting.
///
/// Threads: any may call any function; some threads for callers' operations, one that listens, one that works (worker.h).
#pragma once

#include <chrono>
#include <memory>

#include "engine/engine.h"
#include "farm/farm_health.h"
#include "farm/farm_options.h"
#include "farm/farm_view.h"
#include "farm/job_desk.h"

namespace cuzk::farm {

class Farm : public JobDesk {
 public:
  virtual FarmHealth::State health() const = 0;

  /// What the whole farm does.
  virtual void view_farm(Told<FarmView> told) = 0;

  /// Ends this daemon's part: results that there are are told to the database, what is still held is given back, and who
  /// waits is told to ask again. Returns when that is done or `patience` is over.
  virtual void stop(std::chrono::milliseconds patience) = 0;
};

/// Connects, makes the tables where there are none, and begins to work. What it is given must outlive it. Throws Error:
/// unavailable (no database; this program was built without libpqxx), invalid_input.
std::unique_ptr<Farm> join_farm(const FarmOptions& options, engine::Engine& engine,
                                const engine::StatementDecoder& decoder);

/// Says what is well about the database, for a check before a start. Throws as join_farm.
std::string check_database(const FarmOptions& options);

/// The whole farm, from a program that is no daemon. Throws as join_farm.
FarmView look_at_farm(const FarmOptions& options);

}  // namespace cuzk::farm
