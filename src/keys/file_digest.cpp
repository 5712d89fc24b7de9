#include "keys/file_digest.h"

#include <simdjson.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <span>
#include <system_error>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/hex.h"
#include "base/log.h"
#include "base/whole_file.h"
#include "groth16/input_file.h"
#include "hash/blake2b.h"

namespace cuzk::keys {

namespace fs = std::filesystem;
using groth16::Control;
using groth16::InputFile;

namespace {

constexpr std::size_t kPiece = std::size_t{4} << 20;
constexpr std::size_t kDigestBytes = 16;
constexpr u64 kLargestDocument = u64{16} << 20;

/// A remembered digest is one line: "DIGEST STAMP".
std::optional<std::string> recall(const fs::path& place, const std::string& stamp) {
  std::ifstream file(place);
  std::string digest, rest;
  if (!(file >> digest) || !std::getline(file >> std::ws, rest)) return std::nullopt;
  if (rest != stamp || digest.size() != 2 * kDigestBytes) return std::nullopt;
  return digest;
}

void remember(const fs::path& place, const std::string& digest, const std::string& stamp) {
  const std::string line = fmt::format("{} {}\n", digest, stamp);
  try {
    fs::create_directories(place.parent_path());
    write_whole_file(place, {std::span(reinterpret_cast<const u8*>(line.data()), line.size())});
  } catch (const std::exception& error) {
    logger(LogModule::keys).warn("the digest of a key is not remembered: {}", error.what());
  }
}

}  // namespace

/// "SIZE SECONDS.NANOSECONDS INODE"
std::string file_stamp(const fs::path& file) {
  struct stat status {};
  if (::stat(file.c_str(), &status) != 0) return {};
  return fmt::format("{} {}.{:09} {}", status.st_size, status.st_mtim.tv_sec, status.st_mtim.tv_nsec, status.st_ino);
}

std::string file_digest(const fs::path& path, const Control& control) {
  const InputFile file(path);
  Blake2b hash;
  std::vector<u8> piece(std::min<u64>(kPiece, file.size()));
  for (u64 at = 0; at < file.size(); at += piece.size()) {
    control.check("digest of a key");
    const auto part = std::span(piece).first(std::min<u64>(piece.size(), file.size() - at));
    file.read_at(at, part);
    hash.update(part);
  }
  return to_hex(std::span<const u8>(hash.finish()).first(kDigestBytes));
}

std::string DigestMemory::digest(const fs::path& file, const Control& control) const {
  if (directory_.empty()) return file_digest(file, control);
  const std::string stamp = file_stamp(file);
  const fs::path place = place_of(file, "digest");
  if (const auto known = recall(place, stamp)) return *known;
  std::string digest = file_digest(file, control);
  if (!stamp.empty() && stamp == file_stamp(file)) remember(place, digest, stamp);
  return digest;
}

bool DigestMemory::knows_points(const fs::path& file, const std::string& digest) const {
  const std::string stamp = file_stamp(file);
  return !directory_.empty() && !stamp.empty() && recall(place_of(file, "points"), stamp) == digest;
}

void DigestMemory::remember_points(const fs::path& file, const std::string& digest, const std::string& stamp) const {
  if (directory_.empty() || stamp.empty() || stamp != file_stamp(file)) return;
  remember(place_of(file, "points"), digest, stamp);
}

fs::path DigestMemory::place_of(const fs::path& file, const char* what) const {
  return directory_ / fmt::format("{}.{}", file.filename().string(), what);
}

DigestMemory digest_memory(const std::string& text) { return text == "off" ? DigestMemory() : DigestMemory(text); }

DigestMemory default_digest_memory() {
  const char *cache = std::getenv("XDG_CACHE_HOME"), *home = std::getenv("HOME");
  if (cache != nullptr && *cache != '\0') return DigestMemory(fs::path(cache) / "cuzk/digests");
  return home == nullptr || *home == '\0' ? DigestMemory() : DigestMemory(fs::path(home) / ".cache/cuzk/digests");
}

std::optional<std::string> listed_digest(const fs::path& document, const std::string& file_name) {
  std::error_code ignored;
  if (!fs::exists(document, ignored)) return std::nullopt;
  const auto bytes = InputFile(document).read_all(kLargestDocument);
  simdjson::dom::parser parser;
  simdjson::dom::element root, entry;
  std::string_view digest;
  if (bytes.empty() || parser.parse(bytes.data(), bytes.size()).get(root) != simdjson::SUCCESS || !root.is_object())
    throw invalid_input("{}: is no list of key files in JSON", document.string());
  if (root.at_key(file_name).get(entry) != simdjson::SUCCESS) return std::nullopt;
  if (entry.at_key("digest").get(digest) != simdjson::SUCCESS)
    throw invalid_input("{}: {} has no digest", document.string(), file_name);
  return std::string(digest);
}

void check_digest(const fs::path& file, const std::string& found, const std::string& expected) {
  if (found == expected) return;
  throw invalid_input("{}: its digest is {}, expected {}: the file is damaged or another key", file.string(), found,
                      expected);
}

}  // namespace cuzk::keys
