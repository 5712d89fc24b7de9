/// What a process does to the files below one directory, in order.
///
/// The program that links recorded_calls.cpp has functions of its own for the calls of the C library that change files,
/// and those of the libraries that it loads (SQLite) come to them too. Each does what its name says, and is written down
/// while recording.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/types.h"

namespace cuzk::test {

struct FileCall {
  enum class Kind : u8 {
    create,      ///< an empty file, or a directory, under `name`
    link,        ///< the file of `name` under `other_name` too
    rename,      ///< `name` is `other_name` from now on
    remove,      ///< the name alone
    write,       ///< `bytes` at `offset`
    resize,      ///< to `offset` bytes
    flush,       ///< all that was done to the file is on the disk
    flush_names  ///< all that was done to names in the directory `name` is on the disk
  } kind;
  u64 file = 0;           ///< a number that no other file has
  std::string name = {};  ///< below the directory
  std::string other_name = {};
  u64 offset = 0;
  std::string bytes = {};
};

/// Starts to record what is done below the directory. The record begins with what makes its present content and flushes
/// it. One at a time.
void start_recording(const std::filesystem::path& directory);

/// Ends it; returns everything.
std::vector<FileCall> stop_recording();

/// How many calls there are so far: a moment.
std::size_t recorded_calls();

}  // namespace cuzk::test
