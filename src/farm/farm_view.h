/// A farm at one moment, for people and dashboards.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "base/json_object.h"
#include "base/types.h"

namespace cuzk::farm {

struct FarmView {
  struct Daemon {
    std::string name, session;
    std::chrono::milliseconds up{}, unseen{};
    u32 leases = 0, room = 0, urgent_room = 0;
    std::vector<std::string> circuits;  ///< whose keys its devices hold
  };

  /// Jobs of one kind and priority that have not ended.
  struct Line {
    std::string kind, priority;
    u64 queued = 0, leased = 0, input_bytes = 0;
    std::chrono::milliseconds oldest{};  ///< since the acceptance of the oldest that is queued
  };

  struct LeaseLine {
    std::string job, kind, priority, daemon;
    u64 number = 0;
    u32 attempts = 0;
    std::chrono::milliseconds held{};
  };

  std::vector<Daemon> daemons;                                                 ///< those that are alive, by name
  std::vector<Line> queue;                                                     ///< the most urgent first
  std::vector<LeaseLine> leases;                                               ///< the longest held first, 1000 at most
  u64 completed = 0, failed = 0, cancelled = 0, timed_out = 0, unfetched = 0;  ///< results that are kept
  u64 inputs = 0, input_bytes = 0;  ///< in the database; of files the number alone
};

JsonObject json_of(const FarmView& view);
std::string text_of(const FarmView& view);

}  // namespace cuzk::farm
