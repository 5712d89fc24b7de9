/// A file in memory for decoders that take a path.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <span>
#include <string>

#include "base/types.h"
#include "fuzzing.h"

namespace cuzk::fuzz {

/// Holds the bytes while it lives; one at a time in a process. The file itself lives as long as the process: no folder
/// has its name, so that an execution costs three calls of the kernel and leaves nothing behind when it is ended.
class ScratchFile {
 public:
  explicit ScratchFile(std::span<const u8> bytes) {
    expect(::ftruncate(descriptor(), 0) == 0);
    expect(::pwrite(descriptor(), bytes.data(), bytes.size(), 0) == static_cast<ssize_t>(bytes.size()));
  }
  ScratchFile(const ScratchFile&) = delete;
  ScratchFile& operator=(const ScratchFile&) = delete;

  const std::string& path() const {
    static const std::string path = "/proc/self/fd/" + std::to_string(descriptor());
    return path;
  }

 private:
  static int descriptor() {
    static const int number = ::memfd_create("cuzk_fuzz", MFD_CLOEXEC);
    return number;
  }
};

}  // namespace cuzk::fuzz
