/// Whether the farm's database is there, as the last who spoke to it found.
#pragma once

#include <algorithm>
#include <chrono>
#include <mutex>
#include <string>

#include "base/log.h"

namespace cuzk::farm {

class FarmHealth {
 public:
  using Clock = std::chrono::steady_clock;

  struct State {
    bool is_connected = false;
    std::string reason;                 ///< why not
    std::chrono::milliseconds since{};  ///< in this state
  };

  State state() const {
    const std::lock_guard lock(mutex_);
    return {reason_.empty(), reason_, std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - since_)};
  }

  void found() {
    const std::lock_guard lock(mutex_);
    if (reason_.empty()) return;
    logger(LogModule::server).warn("farm: the database is there again after {} s", seconds());
    reason_.clear();
    since_ = Clock::now();
  }

  void lost(const std::string& reason) {
    const std::lock_guard lock(mutex_);
    if (reason_.empty()) {
      since_ = Clock::now();
      logger(LogModule::server).error("{}; what runs goes on, nothing new is taken until it is there again", reason);
    }
    reason_ = reason.empty() ? "unknown" : reason;
  }

 private:
  double seconds() const { return std::chrono::duration<double>(Clock::now() - since_).count(); }

  mutable std::mutex mutex_;
  std::string reason_;  // empty: it is there
  Clock::time_point since_ = Clock::now();
};

/// Waits between attempts: twice as long each time, from 100 ms to a third of a lease and 5 s at most, up to a half less so
/// that a thousand daemons do not come at once.
class Backoff {
 public:
  explicit Backoff(std::chrono::milliseconds lease) : most_(std::min<std::chrono::milliseconds>(lease / 3, kMost)) {}

  std::chrono::milliseconds next();
  void reset() { wait_ = kFirst; }

 private:
  static constexpr std::chrono::milliseconds kFirst{100}, kMost{5000};
  const std::chrono::milliseconds most_;
  std::chrono::milliseconds wait_ = kFirst;
};

}  // namespace cuzk::farm
