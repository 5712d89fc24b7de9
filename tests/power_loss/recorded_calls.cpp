#include "power_loss/recorded_calls.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdarg>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <mutex>
#include <optional>

namespace cuzk::test {
namespace {

using Kind = FileCall::Kind;

/// All of it under one lock, calls included, so that their order is the record's.
class Recorder {
 public:
  std::recursive_mutex mutex;

  void start(const std::filesystem::path& directory) {
    const std::lock_guard lock(mutex);
    root_ = directory.string() + "/";
    calls_.clear();
    files_.clear();
    open_.clear();
    for (const auto& entry : std::filesystem::recursive_directory_iterator(directory)) found(entry);
    for (const auto& [name, file] : std::map(files_))
      if (name.ends_with('/')) calls_.push_back({.kind = Kind::flush_names, .name = name.substr(0, name.size() - 1)});
    calls_.push_back({.kind = Kind::flush_names});
  }

  std::vector<FileCall> stop() {
    const std::lock_guard lock(mutex);
    root_.clear();
    return std::move(calls_);
  }

  std::size_t count() {
    const std::lock_guard lock(mutex);
    return calls_.size();
  }

  /// The name below the directory; nothing for what is elsewhere.
  std::optional<std::string> name_of(const char* path) const {
    const std::string_view text(path);
    if (root_.empty() || !(text.starts_with(root_) || text == std::string_view(root_).substr(0, root_.size() - 1)))
      return std::nullopt;
    return text.size() < root_.size() ? "" : std::string(text.substr(root_.size()));
  }

  void made(const std::string& name) {
    files_[name] = next_file_++;
    calls_.push_back({.kind = Kind::create, .file = files_[name], .name = name});
  }

  void opened(int descriptor, const std::string& name) {
    open_[descriptor] = name;
    file_of_[descriptor] = files_[name];
  }
  void closed(int descriptor) { open_.erase(descriptor); }
  bool is_ours(int descriptor) const { return open_.contains(descriptor); }

  void wrote(int descriptor, u64 offset, const void* bytes, std::size_t count) {
    calls_.push_back({.kind = Kind::write,
                      .file = file_of_[descriptor],
                      .name = open_[descriptor],
                      .offset = offset,
                      .bytes = std::string(static_cast<const char*>(bytes), count)});
  }

  void resized(int descriptor, u64 bytes) {
    calls_.push_back({.kind = Kind::resize, .file = file_of_[descriptor], .offset = bytes});
  }
  void resized(const std::string& name, u64 bytes) {
    calls_.push_back({.kind = Kind::resize, .file = files_[name], .offset = bytes});
  }

  void flushed(int descriptor) {
    struct stat status {};
    fstat(descriptor, &status);
    const auto kind = S_ISDIR(status.st_mode) ? Kind::flush_names : Kind::flush;
    calls_.push_back({.kind = kind, .file = file_of_[descriptor], .name = open_[descriptor]});
  }

  void linked(const std::string& name, const std::string& other) {
    files_[other] = files_[name];
    calls_.push_back({.kind = Kind::link, .file = files_[name], .name = name, .other_name = other});
  }

  void renamed(const std::string& name, const std::string& other) {
    const auto moved = files_[name];
    files_.erase(name);
    files_[other] = moved;
    calls_.push_back({.kind = Kind::rename, .file = moved, .name = name, .other_name = other});
  }

  void removed(const std::string& name) {
    calls_.push_back({.kind = Kind::remove, .file = files_[name], .name = name});
    files_.erase(name);
  }

 private:
  void found(const std::filesystem::directory_entry& entry) {
    const auto name = entry.path().string().substr(root_.size());
    if (entry.is_directory()) return made(name + "/");
    made(name);
    std::ifstream file(entry.path(), std::ios::binary);
    std::string bytes{std::istreambuf_iterator<char>(file), {}};
    calls_.push_back({.kind = Kind::write, .file = files_[name], .bytes = std::move(bytes)});
    calls_.push_back({.kind = Kind::flush, .file = files_[name]});
  }

  std::string root_;
  u64 next_file_ = 1;
  std::map<std::string, u64> files_;
  std::map<int, std::string> open_;
  std::map<int, u64> file_of_;
  std::vector<FileCall> calls_;
};

Recorder& recorder() {
  static Recorder& recorder = *new Recorder;  // calls come after everything that is destroyed
  return recorder;
}

int open_and_record(const char* path, int flags, mode_t mode) {
  Recorder& record = recorder();
  const std::lock_guard lock(record.mutex);
  const auto name = record.name_of(path);
  const bool is_new = name && (flags & O_CREAT) != 0 && syscall(SYS_access, path, F_OK) != 0;
  const int descriptor = static_cast<int>(syscall(SYS_openat, AT_FDCWD, path, flags, mode));
  if (descriptor < 0 || !name) return descriptor;
  if (is_new) record.made(*name);
  record.opened(descriptor, *name);
  if ((flags & O_TRUNC) != 0 && !is_new) record.resized(descriptor, 0);
  return descriptor;
}

ssize_t write_and_record(int descriptor, const void* bytes, size_t count, std::optional<off_t> place) {
  Recorder& record = recorder();
  const std::lock_guard lock(record.mutex);
  const bool is_ours = record.is_ours(descriptor);
  const off_t offset = place ? *place : is_ours ? lseek(descriptor, 0, SEEK_CUR) : 0;
  const ssize_t written =
      place ? syscall(SYS_pwrite64, descriptor, bytes, count, *place) : syscall(SYS_write, descriptor, bytes, count);
  if (written > 0 && is_ours) record.wrote(descriptor, static_cast<u64>(offset), bytes, static_cast<size_t>(written));
  return written;
}

int resize_and_record(int descriptor, off_t bytes) {
  Recorder& record = recorder();
  const std::lock_guard lock(record.mutex);
  const int status = static_cast<int>(syscall(SYS_ftruncate, descriptor, bytes));
  if (status == 0 && record.is_ours(descriptor)) record.resized(descriptor, static_cast<u64>(bytes));
  return status;
}

int flush_and_record(int descriptor) {
  Recorder& record = recorder();
  const std::lock_guard lock(record.mutex);
  if (!record.is_ours(descriptor)) return static_cast<int>(syscall(SYS_fsync, descriptor));
  record.flushed(descriptor);  // the disk is the model
  return 0;
}

}  // namespace

void start_recording(const std::filesystem::path& directory) { recorder().start(directory); }
std::vector<FileCall> stop_recording() { return recorder().stop(); }
std::size_t recorded_calls() { return recorder().count(); }

}  // namespace cuzk::test

// The C library's functions, under its names.
using cuzk::test::recorder;
extern "C" {

int open(const char* path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  const mode_t mode = (flags & O_CREAT) != 0 ? va_arg(more, mode_t) : 0;
  va_end(more);
  return cuzk::test::open_and_record(path, flags, mode);
}

int open64(const char* path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  const mode_t mode = (flags & O_CREAT) != 0 ? va_arg(more, mode_t) : 0;
  va_end(more);
  return cuzk::test::open_and_record(path, flags, mode);
}

int close(int descriptor) {
  const std::lock_guard lock(recorder().mutex);
  recorder().closed(descriptor);
  return static_cast<int>(syscall(SYS_close, descriptor));
}

ssize_t write(int descriptor, const void* bytes, size_t count) {
  return cuzk::test::write_and_record(descriptor, bytes, count, std::nullopt);
}
ssize_t pwrite(int descriptor, const void* bytes, size_t count, off_t offset) {
  return cuzk::test::write_and_record(descriptor, bytes, count, offset);
}
ssize_t pwrite64(int descriptor, const void* bytes, size_t count, off64_t offset) {
  return cuzk::test::write_and_record(descriptor, bytes, count, offset);
}

int ftruncate(int descriptor, off_t bytes) noexcept { return cuzk::test::resize_and_record(descriptor, bytes); }
int ftruncate64(int descriptor, off64_t bytes) noexcept { return cuzk::test::resize_and_record(descriptor, bytes); }

int truncate(const char* path, off_t bytes) noexcept {
  const std::lock_guard lock(recorder().mutex);
  const int status = static_cast<int>(syscall(SYS_truncate, path, bytes));
  const auto name = recorder().name_of(path);
  if (status == 0 && name) recorder().resized(*name, static_cast<cuzk::u64>(bytes));
  return status;
}

int posix_fallocate(int descriptor, off_t offset, off_t bytes) {
  const std::lock_guard lock(recorder().mutex);
  if (syscall(SYS_fallocate, descriptor, 0, offset, bytes) != 0) return errno;
  if (recorder().is_ours(descriptor)) recorder().resized(descriptor, static_cast<cuzk::u64>(offset + bytes));
  return 0;
}

int fsync(int descriptor) { return cuzk::test::flush_and_record(descriptor); }
int fdatasync(int descriptor) { return cuzk::test::flush_and_record(descriptor); }

int mkdir(const char* path, mode_t mode) noexcept {
  const std::lock_guard lock(recorder().mutex);
  const int status = static_cast<int>(syscall(SYS_mkdir, path, mode));
  const auto name = recorder().name_of(path);
  if (status == 0 && name) recorder().made(*name + "/");
  return status;
}

int link(const char* from, const char* to) noexcept {
  const std::lock_guard lock(recorder().mutex);
  const int status = static_cast<int>(syscall(SYS_link, from, to));
  const auto name = recorder().name_of(from);
  if (status == 0 && name) recorder().linked(*name, recorder().name_of(to).value());
  return status;
}

int rename(const char* from, const char* to) noexcept {
  const std::lock_guard lock(recorder().mutex);
  const int status = static_cast<int>(syscall(SYS_rename, from, to));
  const auto name = recorder().name_of(from);
  if (status == 0 && name) recorder().renamed(*name, recorder().name_of(to).value());
  return status;
}

int unlink(const char* path) noexcept {
  const std::lock_guard lock(recorder().mutex);
  const int status = static_cast<int>(syscall(SYS_unlink, path));
  const auto name = recorder().name_of(path);
  if (status == 0 && name) recorder().removed(*name);
  return status;
}

}  // extern "C"
