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
  explicit PartialFile(std::filesystem::path path) : path_(std::move(path)) {
    CUZK_FAILPOINT("farm.object.create");
    descriptor_ = ::open(path_.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600);
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
    CUZK_FAILPOINT("farm.object.flush");
    if (::fsync(descriptor_) != 0) throw file_error(path_, "flush", errno);
    CUZK_FAILPOINT("farm.object.rename");
    if (::rename(path_.c_str(), name.c_str()) != 0) throw file_error(name, "create", errno);
    path_.clear();
  }

 private:
  std::filesystem::path path_;
  int descriptor_ = -1;
};

void flush_names(const std::filesystem::path& directory) {
  CUZK_FAILPOINT("farm.object.directory");
  engine::flush_directory(directory);
}

}  // namespace

ObjectDirectory::ObjectDirectory(std::filesystem::path directory) : directory_(std::move(directory)) {
  CUZK_FAILPOINT("farm.object.open");
  engine::make_private_directory(directory_);
}

std::filesystem::path ObjectDirectory::path_of(const engine::InputDigest& digest) const {
  return directory_ / to_hex(digest);
}

void ObjectDirectory::write(const engine::InputDigest& digest, std::span<const std::span<const u8>> pieces) const {
  const auto path = path_of(digest);
  std::error_code none;
  // Who gave it its name may be about to flush that, or may have failed to.
  if (std::filesystem::exists(path, none)) return flush_names(directory_);
  PartialFile file(directory_ / (std::string(kPartial) + to_hex(random_bytes<16>())));
  for (const auto& piece : pieces) file.write(piece);
  file.give_name(path);
  flush_names(directory_);
}

std::string ObjectDirectory::read(const engine::InputDigest& digest) const {
  const auto path = path_of(digest);
  CUZK_FAILPOINT("farm.object.read");
  std::error_code error;
  const auto size = std::filesystem::file_size(path, error);
  if (error) throw Error(Code::not_found, fmt::format("there is no input {}: {}", path.string(), error.message()));
  std::ifstream file(path, std::ios::binary);
  std::string bytes(size, '\0');
  if (!file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()))) throw file_error(path, "read", errno);
  return bytes;
}

bool ObjectDirectory::remove(const engine::InputDigest& digest) const noexcept {
  const auto path = path_of(digest);
  try {
    CUZK_FAILPOINT("farm.object.remove");
    if (::unlink(path.c_str()) != 0 && errno != ENOENT) throw file_error(path, "remove", errno);
    return true;
  } catch (const Error& error) {
    logger(LogModule::server).warn("farm: {}", error.what());
    return false;
  }
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
