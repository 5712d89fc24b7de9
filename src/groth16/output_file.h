/// A file that is written from start to end and appears under its name only when it is complete.
#pragma once

#include <filesystem>
#include <span>

#include "base/types.h"

namespace cuzk::groth16 {

class OutputFile {
 public:
  /// Opens NAME.partial beside the name, replacing one that an interrupted run left. Throws Error{invalid_input}
  /// naming the file.
  explicit OutputFile(const std::filesystem::path& path);

  /// Removes the partial file unless finish() was reached.
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  /// Appends; throws Error{resource_exhausted} naming the file when the disk is full or refuses.
  void write(std::span<const u8> bytes);

  /// Forces the bytes to the disk and gives the file its name, replacing one that is there.
  void finish();

 private:
  [[noreturn]] void fail(std::string_view what) const;

  std::filesystem::path path_, partial_;
  int descriptor_;
};

}  // namespace cuzk::groth16
