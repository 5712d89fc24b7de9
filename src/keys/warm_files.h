/// Key files in the page cache of the host, so that a device that needs a key next does not wait for the disk.
///
/// A file that is wanted is read by a thread of this class, piece by piece, and its bytes are thrown away: what stays is
/// the system's copy. That is a hint and no more: the system may drop it, and nothing that goes wrong here is an error.
/// What is held so is bounded (warm_budget.h); a file that gives way is dropped from the page cache.
///
/// Threads: any may call any function.
#pragma once

#include <filesystem>
#include <mutex>
#include <set>
#include <stop_token>

#include "base/task_thread.h"
#include "base/types.h"
#include "keys/warm_budget.h"

namespace cuzk::keys {

class WarmFiles {
 public:
  /// Bytes of files; 0: nothing is read ahead.
  explicit WarmFiles(u64 budget) : budget_(budget) {}

  /// Somebody needs the file soon: it is read unless it was, after those that were wanted before. Returns at once.
  void want(const std::filesystem::path& file);

  /// Somebody has read the whole file.
  void used(const std::filesystem::path& file);

  /// Whether the file lies in the page cache but for a tenth, judged by a few of its pages. Of a file that is another
  /// user's the system does not tell; then: whether it was read, and has not given way.
  bool is_warm(const std::filesystem::path& file) const;

  /// Returns when all that was wanted has been read or given up.
  void wait();

 private:
  bool enter(const std::filesystem::path& file);
  void read(const std::filesystem::path& file, const std::stop_token& stop);
  bool is_entered(const std::filesystem::path& file) const;

  mutable std::mutex mutex_;
  WarmBudget budget_;
  std::set<std::filesystem::path> coming_;  // wanted, and not read to their ends
  TaskThread reader_;                       // last: it uses the others
};

}  // namespace cuzk::keys
