#include "groth16/output_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "base/error.h"

namespace cuzk::groth16 {

OutputFile::OutputFile(const std::filesystem::path& path)
    : path_(path),
      partial_(path.string() + ".partial"),
      descriptor_(::open(partial_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644)) {
  if (descriptor_ < 0) {
    throw invalid_input("{}: cannot create: {}", partial_.string(), std::generic_category().message(errno));
  }
}

OutputFile::~OutputFile() {
  if (descriptor_ < 0) return;
  ::close(descriptor_);
  ::unlink(partial_.c_str());
}

void OutputFile::write(std::span<const u8> bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail("write");
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
}

void OutputFile::finish() {
  if (::fsync(descriptor_) != 0) fail("flush");
  if (::rename(partial_.c_str(), path_.c_str()) != 0) fail("rename");
  ::close(std::exchange(descriptor_, -1));
}

void OutputFile::fail(std::string_view what) const {
  throw Error(Code::resource_exhausted,
              fmt::format("{}: cannot {}: {}", partial_.string(), what, std::generic_category().message(errno)));
}

}  // namespace cuzk::groth16
