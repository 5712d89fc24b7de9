#include "keys/warm_files.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <future>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/log.h"
#include "base/mapped_file.h"

namespace cuzk::keys {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kReadPiece = std::size_t{1} << 20;

/// The disk is told of so much beyond the piece that is read, for one request at a time does not keep it busy.
constexpr off_t kAhead = off_t{32} << 20;

/// Pages that stand for a file.
constexpr std::size_t kSamples = 32;

/// A file that may fail in every way without anybody minding.
class HintFile {
 public:
  explicit HintFile(const fs::path& path) : descriptor_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {}
  ~HintFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  HintFile(const HintFile&) = delete;
  HintFile& operator=(const HintFile&) = delete;

  void advise(off_t begin, off_t bytes, int advice) const { (void)::posix_fadvise(descriptor_, begin, bytes, advice); }

  /// How many bytes were read; 0 at the end and where it cannot be read.
  std::size_t read(off_t begin, std::vector<char>& bytes) const {
    const auto count = ::pread(descriptor_, bytes.data(), bytes.size(), begin);
    return count < 0 ? 0 : static_cast<std::size_t>(count);
  }

 private:
  const int descriptor_;
};

u64 size_of(const fs::path& file) {
  std::error_code error;
  const auto size = fs::file_size(file, error);
  return error ? 0 : size;
}

/// The share of a file's pages that are in the page cache, by samples; nothing where the system does not tell.
std::optional<double> resident_share(const fs::path& file) try {
  struct stat status {};
  const bool is_told =
      ::stat(file.c_str(), &status) == 0 && (status.st_uid == ::geteuid() || ::access(file.c_str(), W_OK) == 0);
  if (!is_told) return std::nullopt;
  const MappedFile mapped(file);
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  const std::size_t pages = (mapped.size() + page - 1) / page;
  const std::size_t samples = std::min(pages, kSamples);
  if (samples == 0) return 0;
  std::size_t resident = 0;
  for (std::size_t i = 0; i < samples; ++i) {
    const u8* const place = mapped.bytes().data() + i * pages / samples * page;
    unsigned char state = 0;
    if (::mincore(const_cast<u8*>(place), page, &state) == 0) resident += state & 1U;
  }
  return static_cast<double>(resident) / static_cast<double>(samples);
} catch (const Error&) {
  return 0;
}

}  // namespace

void WarmFiles::want(const fs::path& file) {
  {
    const std::lock_guard lock(mutex_);
    if (!coming_.insert(file).second) return;
  }
  reader_.add([this, file](const std::stop_token& stop) {
    if (!stop.stop_requested()) read(file, stop);
    const std::lock_guard lock(mutex_);
    coming_.erase(file);
  });
}

void WarmFiles::used(const fs::path& file) { enter(file); }

/// Whether there is room for the file. Those that give way for it are dropped.
bool WarmFiles::enter(const fs::path& file) {
  const u64 bytes = size_of(file);
  if (bytes == 0) return false;
  std::optional<std::vector<fs::path>> leaving;
  {
    const std::lock_guard lock(mutex_);
    leaving = budget_.enter(file, bytes, WarmBudget::Time::clock::now());
  }
  if (!leaving) return false;
  for (const auto& each : *leaving) HintFile(each).advise(0, 0, POSIX_FADV_DONTNEED);
  return true;
}

void WarmFiles::read(const fs::path& file, const std::stop_token& stop) {
  if (is_warm(file) || !enter(file)) return;
  const HintFile hint(file);
  std::vector<char> bytes(kReadPiece);
  off_t at = 0;
  hint.advise(0, kAhead, POSIX_FADV_WILLNEED);
  while (!stop.stop_requested() && is_entered(file)) {
    hint.advise(at + kAhead, static_cast<off_t>(kReadPiece), POSIX_FADV_WILLNEED);
    const auto count = hint.read(at, bytes);
    if (count == 0) break;
    at += static_cast<off_t>(count);
  }
  logger(LogModule::keys).info("{}: {} bytes read ahead of its use", file.filename().string(), at);
}

bool WarmFiles::is_entered(const fs::path& file) const {
  const std::lock_guard lock(mutex_);
  return budget_.has(file);
}

bool WarmFiles::is_warm(const fs::path& file) const {
  constexpr double kMost = 0.9;
  if (const auto share = resident_share(file)) return *share >= kMost;
  const std::lock_guard lock(mutex_);
  return budget_.has(file) && !coming_.contains(file);
}

void WarmFiles::wait() {
  std::promise<void> done;
  reader_.add([&](const std::stop_token&) { done.set_value(); });
  done.get_future().wait();
}

}  // namespace cuzk::keys
