/// How far a long piece of work has come: told by the rooms that work, shown by the programs that people look at.
#pragma once

#include <atomic>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

#include "base/types.h"

namespace cuzk {

/// One report. Units are the stage's own (points, bytes, constraints); only their ratio is shown.
struct ProgressUpdate {
  std::string_view stage;  ///< for people, such as "reading points of porep-2k"
  u64 done = 0;
  u64 total = 0;
};

/// Called by one thread at a time, done never decreasing within a stage. Empty: nobody watches.
using ProgressCallback = std::function<void(const ProgressUpdate&)>;

/// Counts one stage's work from any number of threads and reports at its start, at each whole percent and at its end.
/// The callback must outlive it.
class Progress {
 public:
  Progress(const ProgressCallback& callback, std::string stage, u64 total)
      : callback_(callback), stage_(std::move(stage)), total_(total) {
    if (callback_) callback_({stage_, 0, total_});
  }

  void advance(u64 count) {
    if (!callback_) return;
    const u64 done = done_.fetch_add(count, std::memory_order_relaxed) + count;
    if (percent(done) != percent(done - count)) report(done);
  }

 private:
  u64 percent(u64 done) const { return total_ == 0 ? 100 : static_cast<u64>(static_cast<u128>(done) * 100 / total_); }

  void report(u64 done) {
    const std::lock_guard lock(mutex_);
    if (done <= reported_) return;  // a thread that counted later was here first
    reported_ = done;
    callback_({stage_, done, total_});
  }

  const ProgressCallback& callback_;
  const std::string stage_;
  const u64 total_;
  std::atomic<u64> done_{0};
  std::mutex mutex_;
  u64 reported_ = 0;
};

}  // namespace cuzk
