/// The directory of a journal: made for its owner alone, held by one process, its names forced to the disk.
#pragma once

#include <filesystem>
#include <string_view>

#include "base/error.h"

namespace cuzk::engine {

/// What went wrong with a file, from the system's error number: resource_exhausted where there is no room, internal where a
/// name is taken, unavailable otherwise; says what to do where that is known.
Error file_error(const std::filesystem::path& path, std::string_view action, int reason);

/// Makes the directory with mode 0700, and those above it, where they do not exist; leaves an existing one as it is. Several
/// processes may do so at once.
void make_private_directory(const std::filesystem::path& path);

/// Makes an empty file where there is none; its mode is 0600 in any case.
void make_private_file(const std::filesystem::path& path);

/// Names that were made, changed or removed in it survive a loss of power once this returns.
void flush_directory(const std::filesystem::path& path);

/// Held by one process at a time and released when it ends, however it ends.
class DirectoryLock {
 public:
  /// Throws Error{unavailable} naming the process that holds it.
  explicit DirectoryLock(const std::filesystem::path& directory);
  ~DirectoryLock();
  DirectoryLock(const DirectoryLock&) = delete;
  DirectoryLock& operator=(const DirectoryLock&) = delete;

 private:
  int descriptor_;
};

}  // namespace cuzk::engine
