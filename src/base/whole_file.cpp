#include "base/whole_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <string>
#include <system_error>

#include "base/error.h"

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
    while (!bytes.empty()) {
      const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) fail("write");
      bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
  }

  void give_name() {
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

}  // namespace

void write_whole_file(const std::filesystem::path& path, std::initializer_list<std::span<const u8>> pieces) {
  UnnamedFile file(path);
  for (const auto& piece : pieces) file.write(piece);
  file.give_name();
}

}  // namespace cuzk
