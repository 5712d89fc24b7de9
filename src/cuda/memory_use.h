/// What memory is taken for, so that a picture of an arena can say it.
#pragma once

#include "groth16/prover.h"

namespace cuzk::cuda {

using MemoryUse = groth16::MemoryRegion::Block::Use;

/// As long as it lives, what its thread takes of arenas is for this. Otherwise it is for work.
class MemoryUseScope {
 public:
  explicit MemoryUseScope(MemoryUse use) : before_(current()) { current() = use; }
  ~MemoryUseScope() { current() = before_; }
  MemoryUseScope(const MemoryUseScope&) = delete;
  MemoryUseScope& operator=(const MemoryUseScope&) = delete;

  static MemoryUse& current() {
    thread_local MemoryUse use = MemoryUse::work;
    return use;
  }

 private:
  const MemoryUse before_;
};

}  // namespace cuzk::cuda
