/// Where inputs of a farm lie: small ones in the database, large ones in the object directory.
#pragma once

#include <optional>
#include <string>

#include "engine/request.h"
#include "farm/farm_options.h"
#include "farm/object_directory.h"
#include "farm/queue.h"

namespace cuzk::farm {

/// Threads: any, each with a queue of its own.
class InputStore {
 public:
  /// Throws as ObjectDirectory.
  explicit InputStore(const FarmOptions& options);

  /// Throws Error{resource_exhausted} for an input that is too large for what is configured.
  void check_size(const engine::ProofInput& input) const;

  /// Stores the job with its input; what it returns is committed. `wanted`: as FarmQueue::submit.
  Stored submit(FarmQueue& queue, const NewJob& job, const engine::ProofInput& input,
                std::optional<engine::Clock::time_point> wanted) const;

  /// Throws Error: not_found, invalid_input (it is not what was accepted: its digest differs), unavailable.
  engine::ProofInput read(FarmQueue& queue, const Claimed& claimed) const;

  /// Removes results and inputs whose time is over.
  void purge(FarmQueue& queue) const;

 private:
  const FarmOptions& options_;
  const std::optional<ObjectDirectory> objects_;
};

}  // namespace cuzk::farm
