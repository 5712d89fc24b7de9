/// A directory that goes with its content.
#pragma once

#include <filesystem>
#include <string>

namespace cuzk::apps {

class TemporaryDirectory {
 public:
  /// Below the system's directory for such. Throws Error{internal} where none can be made.
  TemporaryDirectory();
  ~TemporaryDirectory();
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;

  std::filesystem::path operator/(const std::string& name) const { return std::filesystem::path(path_) / name; }

 private:
  std::string path_;
};

}  // namespace cuzk::apps
