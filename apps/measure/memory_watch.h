/// Writes down, while it lives, how much memory this process holds.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

#include "measure/result.h"

namespace cuzk::measure {

/// In a thread of its own. Looks ten times a second at first, and half as often each time when it has many points.
class MemoryWatch {
 public:
  MemoryWatch();

  /// What was seen; ends the watch.
  Series stop();

 private:
  void watch(const std::stop_token& stop);

  Series series_{"resident memory", "MB", {}};
  std::mutex mutex_;
  std::condition_variable_any ended_;
  std::jthread thread_;  // last: it uses the others
};

}  // namespace cuzk::measure
