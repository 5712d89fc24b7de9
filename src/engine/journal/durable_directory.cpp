#include "engine/journal/durable_directory.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <string>
#include <system_error>

#include "base/failpoint.h"

namespace cuzk::engine {
namespace {

bool is_out_of_space(int reason) { return reason == ENOSPC || reason == EDQUOT || reason == EFBIG; }

std::string_view advice(int reason) {
  if (is_out_of_space(reason)) return "; make room on its disk";
  if (reason == EACCES || reason == EPERM || reason == EROFS) {
    return "; the user of this process must be allowed to write there";
  }
  return "";
}

/// The text that the holder of a lock wrote into it.
std::string holder(int descriptor) {
  std::array<char, 32> text{};
  const ssize_t length = pread(descriptor, text.data(), text.size(), 0);
  return length > 0 ? std::string(text.data(), static_cast<std::size_t>(length)) : "unknown";
}

}  // namespace

Error file_error(const std::filesystem::path& path, std::string_view action, int reason) {
  const Code code = is_out_of_space(reason) ? Code::resource_exhausted
                    : reason == EEXIST      ? Code::internal
                                            : Code::unavailable;
  return Error(code, fmt::format("{}: cannot {}: {}{}", path.string(), action, std::generic_category().message(reason),
                                 advice(reason)));
}

void make_private_directory(const std::filesystem::path& path) {
  if (std::error_code ignored; std::filesystem::is_directory(path, ignored)) return;
  std::error_code error;
  if (path.has_parent_path()) std::filesystem::create_directories(path.parent_path(), error);
  if (error) throw file_error(path, "create the directories above it", error.value());
  if (mkdir(path.c_str(), 0700) != 0) {
    const int reason = errno;  // another process may have made it meanwhile
    if (!std::filesystem::is_directory(path, error)) throw file_error(path, "create", reason);
  }
  flush_directory(path.has_parent_path() ? path.parent_path() : std::filesystem::path("."));
}

void make_private_file(const std::filesystem::path& path) {
  const int descriptor = open(path.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0600);
  if (descriptor < 0) throw file_error(path, "open", errno);
  const int status = fchmod(descriptor, 0600);
  const int reason = errno;
  close(descriptor);
  if (status != 0) throw file_error(path, "take for its owner alone", reason);
}

void flush_directory(const std::filesystem::path& path) {
  CUZK_FAILPOINT("journal.directory.flush");
  const int descriptor = open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) throw file_error(path, "open", errno);
  const int status = fsync(descriptor);
  const int reason = errno;
  close(descriptor);
  if (status != 0) throw file_error(path, "flush", reason);
}

DirectoryLock::DirectoryLock(const std::filesystem::path& directory) {
  const auto path = directory / "lock";
  descriptor_ = open(path.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0600);
  if (descriptor_ < 0) throw file_error(path, "open", errno);
  if (flock(descriptor_, LOCK_EX | LOCK_NB) != 0) {
    const auto process = holder(descriptor_);
    close(descriptor_);
    throw Error(Code::unavailable,
                fmt::format("{}: process {} works with this journal; stop it, or give this one another directory",
                            directory.string(), process));
  }
  const auto process = std::to_string(getpid());
  if (ftruncate(descriptor_, 0) != 0 || pwrite(descriptor_, process.data(), process.size(), 0) < 0) {
    const int reason = errno;
    close(descriptor_);
    throw file_error(path, "write", reason);
  }
}

DirectoryLock::~DirectoryLock() { close(descriptor_); }

}  // namespace cuzk::engine
