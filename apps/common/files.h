/// Reading and writing of the small files that commands take and make. Errors name the file and the system's reason.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/types.h"

namespace cuzk::apps {

/// The whole file; "-" is standard input. Throws Error: not_found; invalid_input when it cannot be read or has more
/// than `limit` bytes.
std::string read_file(const std::string& path, std::size_t limit);

/// Throws Error{invalid_input} as write_file would; a file that is there stays as it is.
void check_can_write(const std::filesystem::path& path);

/// Replaces the file, which keeps its mode; it has all bytes or is not there. Through a link its target is replaced; a device or
/// a pipe is written to. Throws Error{invalid_input}.
void write_file(const std::filesystem::path& path, std::span<const u8> bytes);

inline std::span<const u8> bytes_of(std::string_view text) {
  return {reinterpret_cast<const u8*>(text.data()), text.size()};
}

}  // namespace cuzk::apps
