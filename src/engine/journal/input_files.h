/// Inputs that are too large for a row: one file each, named by the job's id, in a folder that only its owner can read.
///
/// Threads: any, for different jobs.
#pragma once

#include <filesystem>
#include <functional>
#include <span>

#include "base/types.h"
#include "base/whole_file.h"
#include "engine/job.h"

namespace cuzk::engine {

class InputFiles {
 public:
  /// Makes the folder, mode 0700. Throws Error: resource_exhausted, unavailable.
  explicit InputFiles(std::filesystem::path folder);

  /// Writes the pieces one after another, mode 0600; returns when file and name are on the disk. Throws Error:
  /// resource_exhausted (no room), unavailable; nothing is left then.
  void write(const JobId& id, std::span<const std::span<const u8>> pieces) const;

  /// Throws Error as read_whole_file.
  Buffer<u8> read(const JobId& id) const { return read_whole_file(folder_ / id); }

  /// A file that cannot be removed is told in the log and left to the next start.
  void remove(const JobId& id) const noexcept;

  /// Removes every file for whose name `is_wanted` is false, such as what a crash left half written; returns how many.
  std::size_t remove_others(const std::function<bool(const JobId&)>& is_wanted) const;

 private:
  std::filesystem::path folder_;
};

}  // namespace cuzk::engine
