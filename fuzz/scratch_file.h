/// A file in memory for decoders that take a path.
#pragma once

#include <unistd.h>

#include <fstream>
#include <span>
#include <string>

#include "base/types.h"

namespace cuzk::fuzz {

/// Holds the bytes while it lives; one at a time in a process.
class ScratchFile {
 public:
  explicit ScratchFile(std::span<const u8> bytes) {
    std::ofstream(path_, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  }
  ~ScratchFile() { ::unlink(path_.c_str()); }
  ScratchFile(const ScratchFile&) = delete;
  ScratchFile& operator=(const ScratchFile&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string path_ = "/dev/shm/cuzk_fuzz_" + std::to_string(::getpid());
};

}  // namespace cuzk::fuzz
