#include "server/parent_process.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/error.h"

namespace cuzk::server {

namespace {

Error not_the_parent(pid_t id) {
  return invalid_input("process {} is not the parent of this one, or has ended already; the parent is {}", id,
                       ::getppid());
}

}  // namespace

ParentProcess::ParentProcess(pid_t id) : descriptor_(static_cast<int>(::syscall(SYS_pidfd_open, id, 0))) {
  if (descriptor_ < 0) {
    if (errno == ESRCH || errno == EINVAL) throw not_the_parent(id);
    throw Error(Code::unavailable, fmt::format("process {} cannot be watched: {}", id, std::strerror(errno)));
  }
  // Asked after the opening: what is the parent now was it then, so that the descriptor is the parent's.
  if (::getppid() == id) return;
  ::close(descriptor_);
  throw not_the_parent(id);
}

ParentProcess::~ParentProcess() { ::close(descriptor_); }

}  // namespace cuzk::server
