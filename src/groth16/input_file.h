/// A file that is read in pieces by several threads.
///
/// Not mapped, for two reasons: a file that someone cuts short while it is read gives an error here, and a SIGBUS
/// there; and a page of a mapping counts as resident memory, which for a key in the middle of its conversion would be
/// twice the key.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "base/types.h"

namespace cuzk::groth16 {

class InputFile {
 public:
  /// Throws Error: not_found; invalid_input when it is no regular file or cannot be opened; both name it.
  explicit InputFile(const std::filesystem::path& path);
  ~InputFile();
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  /// Fills `bytes` from `offset`; throws Error{invalid_input} when the file ends before, naming it and the place. Any
  /// number of threads may read.
  void read_at(u64 offset, std::span<u8> bytes) const;

  /// The whole content; throws Error{invalid_input} when it is more than `limit` bytes, before memory is taken.
  std::vector<u8> read_all(u64 limit) const;

  u64 size() const { return size_; }                 ///< in bytes, when it was opened
  const std::string& name() const { return name_; }  ///< its path, for messages

 private:
  std::string name_;
  int descriptor_;
  u64 size_ = 0;
};

}  // namespace cuzk::groth16
