/// Digests of key files: computed once, compared with what they should be, remembered on the disk.
///
/// A digest is the first 16 bytes of the file's BLAKE2b-512 in hex, as Filecoin's parameters.json has it. Reading 47 GB
/// for it takes about a minute, so it is remembered, as DIRECTORY/NAME.digest, for as long as size, time of change and
/// inode of the file stay the same. So is, as DIRECTORY/NAME.points, that the points of a file with that digest are on
/// their curves.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "groth16/control.h"

namespace cuzk::keys {

/// Of the whole file. Throws Error: not_found, invalid_input (it cannot be read), cancelled.
std::string file_digest(const std::filesystem::path& file, const groth16::Control& control = {});

/// What a file's digest and the check of its points are remembered by: size, time of change and inode; empty when it is
/// not there.
std::string file_stamp(const std::filesystem::path& file);

/// Any number of processes may share a directory. What goes wrong with it is logged, never thrown: then a digest is
/// computed again. Threads: any may call any function.
class DigestMemory {
 public:
  /// Remembers nothing.
  DigestMemory() = default;
  /// Made when the first digest is written.
  explicit DigestMemory(std::filesystem::path directory) : directory_(std::move(directory)) {}

  /// The file's digest, read from it only when it is not remembered. Throws as file_digest.
  std::string digest(const std::filesystem::path& file, const groth16::Control& control = {}) const;

  /// Whether every point of the file was checked when it had this digest, and size, time and inode of now.
  bool knows_points(const std::filesystem::path& file, const std::string& digest) const;

  /// Every point of the file was checked, and this is its digest; `stamp` is of before its reading. Of a file that changed
  /// since nothing is remembered.
  void remember_points(const std::filesystem::path& file, const std::string& digest, const std::string& stamp) const;

  /// The directory, or "off": what digest_memory() takes.
  std::string text() const { return directory_.empty() ? "off" : directory_.string(); }

 private:
  std::filesystem::path place_of(const std::filesystem::path& file, const char* what) const;

  std::filesystem::path directory_;  // empty: none
};

/// The memory that a text names: a directory, or "off".
DigestMemory digest_memory(const std::string& text);

/// $XDG_CACHE_HOME/cuzk/digests or ~/.cache/cuzk/digests; none where there is no home.
DigestMemory default_digest_memory();

/// What a parameters.json says of a file of that name; nothing where there is no such document or it does not know the
/// file. Throws Error{invalid_input} naming the document when it is none.
std::optional<std::string> listed_digest(const std::filesystem::path& document, const std::string& file_name);

/// Throws Error{invalid_input} naming the file and both digests unless they are the same.
void check_digest(const std::filesystem::path& file, const std::string& found, const std::string& expected);

}  // namespace cuzk::keys
