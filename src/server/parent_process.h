/// The process that started this one, watched for its end.
#pragma once

#include <sys/types.h>

namespace cuzk::server {

/// Held by a descriptor (pidfd_open(2)), not by the number: another process that gets the number later is not taken for
/// it. The end of a thread of the parent is not its end, as it would be for prctl(PR_SET_PDEATHSIG).
class ParentProcess {
 public:
  /// Throws Error: invalid_input where `id` is not the parent of this process, which is also so once the parent has ended;
  /// unavailable where the kernel (before 5.3) cannot watch it.
  explicit ParentProcess(pid_t id);
  ~ParentProcess();
  ParentProcess(const ParentProcess&) = delete;
  ParentProcess& operator=(const ParentProcess&) = delete;

  /// Readable from the parent's end on.
  int descriptor() const { return descriptor_; }

 private:
  int descriptor_;
};

}  // namespace cuzk::server
