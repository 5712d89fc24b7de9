/// Inputs as files of a directory that all machines of a farm mount, named by their digests.
///
/// A file is whole or not there: it is written under a name of its own, forced to the disk and renamed. Files and
/// directory are their owner's alone, so that all daemons run as the same user. Which files are needed the database says.
/// Threads: any.
#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "base/types.h"
#include "engine/request.h"

namespace cuzk::farm {

class ObjectDirectory {
 public:
  /// Makes it where there is none. Throws Error{unavailable}.
  explicit ObjectDirectory(std::filesystem::path directory);

  /// Where it is there already, only sees to it that its name survives a loss of power. Throws Error: resource_exhausted
  /// (the disk is full), unavailable.
  void write(const engine::InputDigest& digest, std::span<const std::span<const u8>> pieces) const;

  /// Throws Error: not_found, unavailable.
  std::string read(const engine::InputDigest& digest) const;

  /// Whether it is gone; the log says why not.
  bool remove(const engine::InputDigest& digest) const noexcept;

  /// Removes what daemons that died have left half written.
  void remove_leftovers() const noexcept;

 private:
  std::filesystem::path path_of(const engine::InputDigest& digest) const;

  const std::filesystem::path directory_;
};

}  // namespace cuzk::farm
