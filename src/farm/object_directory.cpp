#include "farm/object_directory.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <fstream>

#include "base/failpoint.h"
#include "base/hex.h"
#include "base/log.h"
#include "base/random.h"
#include "engine/journal/durable_directory.h"

namespace cuzk::farm {

namespace {

using engine::file_error;

constexpr std::string_view kPartial = ".partial-";

/// Nobody writes for so long.
constexpr auto kLeftOver = std::chrono::hours(1);

/// A file that is removed again unless it was given its name.
class PartialFile {
 public:
  explicit PartialFile(std::filesystem::path path)
      : path_(std::move(path)), descriptor_(::open(path_.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600)) {
    if (descriptor_ < 0) throw file_error(path_, "create", errno);
  }
  ~PartialFile() {
    ::close(descriptor_);
    if (!path_.empty()) ::unlink(path_.c_str());
  }
  PartialFile(const PartialFile&) = delete;
  PartialFile& operator=(const PartialFile&) = delete;

  void write(std::span<const u8> bytes) {
    CUZK_FAILPOINT("farm.object.write");
    while (!bytes.empty()) {
      const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) throw file_error(path_, "write", errno);
      bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
  }

  void give_name(const std::filesystem::path& name) {
    if (::fsync(descriptor_) != 0) throw file_error(path_, "flush", errno);
    if (::rename(path_.c_str(), name.c_str()) != 0) throw file_error(name, "create", errno);
    path_.clear();
    engine::flush_directory(name.parent_path());
  }

 private:
  std::filesystem::path path_;
  int descriptor_;
};

}  // namespace

ObjectDirectory::ObjectDirectory(std::filesystem::path directory) : directory_(std::move(directory)) {
  engine::make_private_directory(directory_);
}

std::filesystem::path ObjectDirectory::path_of(const engine::InputDigest& digest) const {
  return directory_ / to_hex(digest);
}

void ObjectDirectory::write(const engine::InputDigest& digest, std::span<const std::span<const u8>> pieces) const {
  const auto path = path_of(digest);
  std::error_code none;
  if (std::filesystem::exists(path, none)) return;
  PartialFile file(directory_ / (std::string(kPartial) + to_hex(random_bytes<16>())));
  for (const auto& piece : pieces) file.write(piece);
  file.give_name(path);
}

std::string ObjectDirectory::read(const engine::InputDigest& digest) const {
  const auto path = path_of(digest);
  std::ifstream file(path, std::ios::binary);
  std::error_code none;
  if (!file) throw Error(Code::not_found, fmt::format("there is no input {}", path.string()));
  std::string bytes(std::filesystem::file_size(path), '\0');
  if (!file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()))) throw file_error(path, "read", errno);
  return bytes;
}

void ObjectDirectory::remove(const engine::InputDigest& digest) const noexcept {
  const auto path = path_of(digest);
  if (::unlink(path.c_str()) != 0 && errno != ENOENT)
    logger(LogModule::server).warn("farm: {} cannot be removed (error {})", path.string(), errno);
}

void ObjectDirectory::remove_leftovers() const noexcept {
  std::error_code none;
  const auto now = std::filesystem::file_time_type::clock::now();
  for (const auto& entry : std::filesystem::directory_iterator(directory_, none)) {
    const bool is_partial = entry.path().filename().string().starts_with(kPartial);
    if (is_partial && now - entry.last_write_time(none) > kLeftOver) std::filesystem::remove(entry.path(), none);
  }
}

}  // namespace cuzk::farm
