#include "base/whole_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <string>
#include <system_error>

#include "base/error.h"
#include "base/failpoint.h"

namespace cuzk {
namespace {

/// A file under a name that nobody else has; removed again unless it gets its own.
class UnnamedFile {
 public:
  explicit UnnamedFile(const std::filesystem::path& path)
      : path_(path), temporary_(path.string() + ".XXXXXX"), descriptor_(mkostemp(temporary_.data(), O_CLOEXEC)) {
    if (descriptor_ < 0) fail("create");
  }
  ~UnnamedFile() {
    close(descriptor_);
    if (!temporary_.empty()) unlink(temporary_.c_str());
  }
  UnnamedFile(const UnnamedFile&) = delete;
  UnnamedFile& operator=(const UnnamedFile&) = delete;

  void write(std::span<const u8> bytes) {
    CUZK_FAILPOINT("file.write");
    while (!bytes.empty()) {
      const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) fail("write");
      bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
  }

  void give_name() {
    CUZK_FAILPOINT("file.flush");
    // mkostemp lets only the owner read.
    if (fchmod(descriptor_, 0644) != 0 || fsync(descriptor_) != 0) fail("flush");
    if (rename(temporary_.c_str(), path_.c_str()) != 0) fail("rename");
    temporary_.clear();
  }

 private:
  [[noreturn]] void fail(const char* action) const {
    const int reason = errno;
    throw Error(Code::resource_exhausted,
                fmt::format("{}: cannot {}: {}", path_.string(), action, std::generic_category().message(reason)));
  }

  std::filesystem::path path_;
  std::string temporary_;
  int descriptor_;
};

/// A file that is open for reading.
class OpenFile {
 public:
  /// Without blocking: a FIFO without a writer must be refused, not waited for.
  explicit OpenFile(const std::filesystem::path& path)
      : path_(path), descriptor_(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
    if (descriptor_ < 0) fail("open");
  }
  ~OpenFile() { close(descriptor_); }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;

  std::size_t size() const {
    CUZK_FAILPOINT("file.open");
    struct stat status {};
    if (fstat(descriptor_, &status) != 0) fail("read its size");
    if (!S_ISREG(status.st_mode)) throw invalid_input("{}: not a regular file", path_.string());
    return static_cast<std::size_t>(status.st_size);
  }

  void read(std::span<u8> bytes) const {
    CUZK_FAILPOINT("file.read");
    const std::size_t size = bytes.size();
    while (!bytes.empty()) {
      const ssize_t got = ::read(descriptor_, bytes.data(), bytes.size());
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) fail("read");
      if (got == 0)
        throw invalid_input("{}: ends after {} bytes, it had {} when it was opened", path_.string(),
                            size - bytes.size(), size);
      bytes = bytes.subspan(static_cast<std::size_t>(got));
    }
  }

 private:
  [[noreturn]] void fail(const char* action) const {
    const int reason = errno;
    throw Error(reason == ENOENT ? Code::not_found : Code::invalid_input,
                fmt::format("{}: cannot {}: {}", path_.string(), action, std::generic_category().message(reason)));
  }

  const std::filesystem::path& path_;
  int descriptor_;
};

}  // namespace

void write_whole_file(const std::filesystem::path& path, std::initializer_list<std::span<const u8>> pieces) {
  UnnamedFile file(path);
  for (const auto& piece : pieces) file.write(piece);
  file.give_name();
}

Buffer<u8> read_whole_file(const std::filesystem::path& path) {
  const OpenFile file(path);
  Buffer<u8> content(file.size());
  file.read(content.span());
  return content;
}

}  // namespace cuzk
