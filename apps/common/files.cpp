#include "common/files.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iostream>

#include "base/error.h"

namespace cuzk::apps {

namespace fs = std::filesystem;

namespace {

std::string reason() { return std::strerror(errno); }

/// At most `limit` bytes and one more, which tells that there is too much.
std::string read_stream(std::istream& stream, const std::string& name, std::size_t limit) {
  std::string result;
  constexpr std::size_t kPiece = 1 << 16;  // more would be cleared in vain for a small file
  while (stream && result.size() <= limit) {
    const std::size_t before = result.size();
    result.resize(before + std::min(kPiece, limit + 1 - before));
    stream.read(result.data() + before, static_cast<std::streamsize>(result.size() - before));
    result.resize(before + static_cast<std::size_t>(stream.gcount()));
  }
  if (stream.bad()) throw invalid_input("{}: cannot be read: {}", name, reason());
  if (result.size() > limit) throw invalid_input("{}: more than {} bytes", name, limit);
  return result;
}

/// Where the bytes are until all of them are there.
fs::path partial_of(fs::path path) { return path += ".partial"; }

/// A device or a pipe, which is written to and not replaced.
bool is_special(const fs::path& path) {
  const fs::file_status status = fs::status(path);
  return fs::exists(status) && !fs::is_regular_file(status) && !fs::is_directory(status);
}

/// What a link leads to, so that the link stays.
fs::path target_of(const fs::path& path) { return fs::is_symlink(path) ? fs::weakly_canonical(path) : path; }

/// Throws for what the system would let us replace though it may not be written.
void check_is_writable(const fs::path& path) {
  if (fs::is_directory(path)) throw invalid_input("{}: is a directory, expected a file", path.string());
  if (fs::exists(path) && ::access(path.c_str(), W_OK) != 0)
    throw invalid_input("{}: cannot be written: {}", path.string(), reason());
}

void write_stream(const fs::path& path, std::span<const u8> bytes) {
  std::ofstream file(path, std::ios::binary);
  file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  file.close();
  if (!file) throw invalid_input("{}: cannot be written: {}", path.string(), reason());
}

/// Beside the file, with the mode of the one that it replaces.
void write_partial(const fs::path& partial, const fs::path& target, std::span<const u8> bytes) try {
  write_stream(partial, bytes);
  std::error_code ignored;
  if (fs::exists(target)) fs::permissions(partial, fs::status(target).permissions(), ignored);
} catch (...) {
  std::error_code ignored;
  fs::remove(partial, ignored);
  throw;
}

}  // namespace

std::string read_file(const std::string& path, std::size_t limit) {
  if (path == "-") return read_stream(std::cin, "standard input", limit);
  if (fs::is_directory(path)) throw invalid_input("{}: is a directory, expected a file", path);
  std::ifstream file(path, std::ios::binary);
  if (!file) throw Error(errno == ENOENT ? Code::not_found : Code::invalid_input, path + ": " + reason());
  return read_stream(file, path, limit);
}

void check_can_write(const fs::path& path) {
  check_is_writable(path);
  if (is_special(path)) return;
  const fs::path partial = partial_of(target_of(path));
  if (!std::ofstream(partial, std::ios::binary)) {
    throw invalid_input("{}: cannot be written: {}", partial.string(), reason());
  }
  std::error_code ignored;
  fs::remove(partial, ignored);
}

void write_file(const fs::path& path, std::span<const u8> bytes) {
  check_is_writable(path);
  if (is_special(path)) return write_stream(path, bytes);
  const fs::path target = target_of(path), partial = partial_of(target);
  write_partial(partial, target, bytes);
  std::error_code error;
  fs::rename(partial, target, error);
  if (error) throw invalid_input("{}: cannot be written: {}", path.string(), error.message());
}

}  // namespace cuzk::apps
