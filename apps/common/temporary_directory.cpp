#include "common/temporary_directory.h"

#include <stdlib.h>  // mkdtemp, of POSIX

#include "base/error.h"

namespace cuzk::apps {

TemporaryDirectory::TemporaryDirectory() : path_((std::filesystem::temp_directory_path() / "cuzk-XXXXXX").string()) {
  if (::mkdtemp(path_.data()) == nullptr)
    throw Error(Code::internal, fmt::format("{}: no temporary directory can be made", path_));
}

TemporaryDirectory::~TemporaryDirectory() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace cuzk::apps
