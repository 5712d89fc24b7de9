#include "base/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

#include "base/error.h"

namespace cuzk {
namespace {

[[noreturn]] void throw_system(const std::filesystem::path& path, const char* action) {
  const int reason = errno;
  throw Error(reason == ENOENT ? Code::not_found : Code::invalid_input,
              fmt::format("{}: cannot {}: {}", path.string(), action, std::generic_category().message(reason)));
}

/// Closes a file descriptor; the mapping stays without it.
struct Descriptor {
  int number;
  ~Descriptor() {
    if (number >= 0) close(number);
  }
};

std::size_t page_size() {
  static const auto size = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return size;
}

int advice_of(MappedFile::Access access) {
  switch (access) {
    case MappedFile::Access::normal: return MADV_NORMAL;
    case MappedFile::Access::sequential: return MADV_SEQUENTIAL;
    case MappedFile::Access::random: return MADV_RANDOM;
    case MappedFile::Access::will_need: return MADV_WILLNEED;
  }
  return MADV_NORMAL;
}

void* start(const u8* data, std::size_t offset) { return const_cast<u8*>(data + offset); }

}  // namespace

MappedFile::MappedFile(std::filesystem::path path) : path_(std::move(path)) {
  // Without blocking: a FIFO without a writer must be refused, not waited for.
  const Descriptor file{open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
  if (file.number < 0) throw_system(path_, "open");
  struct stat status {};
  if (fstat(file.number, &status) != 0) throw_system(path_, "read its size");
  if (!S_ISREG(status.st_mode)) throw invalid_input("{}: not a regular file", path_.string());
  size_ = static_cast<std::size_t>(status.st_size);
  if (size_ == 0) return;
  void* const mapped = mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file.number, 0);
  if (mapped == MAP_FAILED) throw_system(path_, "map");
  data_ = static_cast<const u8*>(mapped);
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : path_(std::move(other.path_)), data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  return *this;
}

MappedFile::~MappedFile() {
  if (data_ != nullptr) munmap(start(data_, 0), size_);
}

std::span<const u8> MappedFile::bytes(std::size_t offset, std::size_t length) const {
  if (offset > size_ || length > size_ - offset) {
    throw invalid_input("{}: {} bytes at offset {} reach past the end of the file, which has {} bytes", path_.string(),
                        length, offset, size_);
  }
  return {data_ + offset, length};
}

void MappedFile::advise(Access access, std::size_t offset, std::size_t length) const {
  if (offset >= size_) return;
  const std::size_t begin = offset / page_size() * page_size();
  madvise(start(data_, begin), std::min(length, size_ - offset) + (offset - begin), advice_of(access));
}

void MappedFile::drop(std::size_t offset, std::size_t length) const {
  if (offset >= size_) return;
  const std::size_t page = page_size();
  const std::size_t begin = (offset + page - 1) / page * page;
  // The last page of the file is whole to the kernel, although the file ends inside it.
  const std::size_t stop = length >= size_ - offset ? size_ : (offset + length) / page * page;
  if (begin < stop) madvise(start(data_, begin), stop - begin, MADV_DONTNEED);
}

}  // namespace cuzk
