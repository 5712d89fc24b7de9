#include "engine/journal/space_reserve.h"

#include <fcntl.h>
#include <unistd.h>

#include <utility>

namespace cuzk::engine {

SpaceReserve::SpaceReserve(std::filesystem::path file, u64 bytes) : file_(std::move(file)), bytes_(bytes) { restore(); }

bool SpaceReserve::restore() {
  const std::lock_guard lock(mutex_);
  if (!is_whole_) is_whole_ = allocate();
  return is_whole_;
}

void SpaceReserve::release() {
  const std::lock_guard lock(mutex_);
  is_whole_ = false;
  if (::truncate(file_.c_str(), 0) != 0) ::unlink(file_.c_str());
}

/// Real blocks, not a hole. What was taken in vain is given back.
bool SpaceReserve::allocate() const {
  const int descriptor = ::open(file_.c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
  if (descriptor < 0) return false;
  const bool is_there = bytes_ == 0 || ::posix_fallocate(descriptor, 0, static_cast<off_t>(bytes_)) == 0;
  const bool is_cut = is_there || ::ftruncate(descriptor, 0) == 0;
  ::close(descriptor);
  return is_there && is_cut;
}

}  // namespace cuzk::engine
