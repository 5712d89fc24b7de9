/// A file that is not in the page cache.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace cuzk::test {

/// Writes `bytes` zeros and has the system drop its copy; where the file system is memory itself that has no effect.
inline void write_cold(const std::filesystem::path& file, std::size_t bytes) {
  std::ofstream(file) << std::string(bytes, '\0');
  const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
  ::fsync(descriptor);
  ::posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED);
  ::close(descriptor);
}

}  // namespace cuzk::test
