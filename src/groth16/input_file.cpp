#include "groth16/input_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "base/error.h"
#include "base/failpoint.h"

namespace cuzk::groth16 {
namespace {

[[noreturn]] void throw_system_error(const std::string& name, std::string_view what) {
  const int error = errno;
  throw Error(error == ENOENT ? Code::not_found : Code::invalid_input,
              fmt::format("{}: cannot {}: {}", name, what, std::generic_category().message(error)));
}

}  // namespace

InputFile::InputFile(const std::filesystem::path& path)
    : name_(path.string()), descriptor_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
  if (descriptor_ < 0) throw_system_error(name_, "open");
  struct stat status {};
  if (::fstat(descriptor_, &status) != 0 || !S_ISREG(status.st_mode)) {
    ::close(descriptor_);
    throw invalid_input("{}: not a regular file", name_);
  }
  size_ = static_cast<u64>(status.st_size);
}

InputFile::~InputFile() { ::close(descriptor_); }

void InputFile::read_at(u64 offset, std::span<u8> bytes) const {
  CUZK_FAILPOINT("key.read");
  while (!bytes.empty()) {
    const ssize_t read = ::pread(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (read < 0 && errno == EINTR) continue;
    if (read < 0) throw_system_error(name_, fmt::format("read {} bytes at byte {}", bytes.size(), offset));
    if (read == 0) throw invalid_input("{}: ends at byte {}, expected {} bytes more", name_, offset, bytes.size());
    offset += static_cast<u64>(read);
    bytes = bytes.subspan(static_cast<std::size_t>(read));
  }
}

std::vector<u8> InputFile::read_all(u64 limit) const {
  if (size_ > limit) throw invalid_input("{}: {} bytes, expected at most {}", name_, size_, limit);
  std::vector<u8> bytes(size_);
  read_at(0, bytes);
  return bytes;
}

}  // namespace cuzk::groth16
