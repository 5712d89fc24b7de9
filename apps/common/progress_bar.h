/// A line on the terminal that shows how far long work has come; nothing at all where standard error is no terminal.
#pragma once

#include <chrono>
#include <mutex>
#include <string>
#include <string_view>

#include "base/progress.h"
#include "base/types.h"

namespace cuzk::apps {

/// Any thread may call. At its end the line is cleared.
class ProgressBar {
 public:
  ProgressBar();
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  /// total 0: how much there is to do is not known. Draws a few times a second at most.
  void show(std::string_view stage, u64 done, u64 total);

  /// A callback that shows; it must not outlive this.
  ProgressCallback callback() {
    return [this](const ProgressUpdate& update) { show(update.stage, update.done, update.total); };
  }

 private:
  using Clock = std::chrono::steady_clock;

  const bool is_terminal_;
  const Clock::time_point begin_ = Clock::now();
  std::mutex mutex_;
  Clock::time_point drawn_{};
};

}  // namespace cuzk::apps
