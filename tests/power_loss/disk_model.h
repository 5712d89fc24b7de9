/// A disk that has lost its power: what it may hold then, by what was done to it.
///
/// Of a file there is what was flushed. Of what was done to it since, each write and each change of its size may be
/// there, not be there, or be there in part, in sectors of 512 bytes. What was done to the names of a directory is there
/// up to some moment since it was flushed. Directories and files do not wait for each other.
#pragma once

#include <filesystem>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "power_loss/recorded_calls.h"

namespace cuzk::test {

class DiskModel {
 public:
  /// How much of what was not flushed is lost.
  enum class Loss : u8 { all, nothing, some, torn };

  void apply(const FileCall& call);

  /// Makes a directory with what is left, and fills it. Files whose directory is lost are too.
  void write_remains(const std::filesystem::path& directory, Loss loss, std::mt19937_64& random) const;

  /// Calls whose effect may be lost now.
  std::size_t unflushed() const;

 private:
  struct File {
    std::string flushed;
    std::vector<FileCall> since;
  };
  using Names = std::map<std::string, u64>;  // whole names: 0 for a directory

  std::string remains_of(const File& file, Loss loss, std::mt19937_64& random) const;
  Names remains_of_names(Loss loss, std::mt19937_64& random) const;
  static void apply_to_names(const FileCall& call, Names& names);

  std::map<u64, File> files_;
  Names flushed_names_;
  std::map<std::string, std::vector<FileCall>> names_since_;  // by directory
};

}  // namespace cuzk::test
