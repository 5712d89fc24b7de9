/// Holds one user of a shared resource to a number of bytes: what would exceed it is refused before upstream is asked.
#pragma once

#include <mutex>

#include "cuda/memory_resource.h"

namespace cuzk::cuda {

class LimitingResource final : public MemoryResource {
 public:
  LimitingResource(MemoryResource& upstream, std::size_t limit) : upstream_(upstream), limit_(limit) {}

  std::size_t in_use() const;

 private:
  /// Throws Error{resource_exhausted} naming what was asked, what is left and the limit; and what upstream throws, which
  /// then costs nothing of the limit.
  void* take(std::size_t bytes) override;
  void give_back(void* memory, std::size_t bytes) noexcept override;

  MemoryResource& upstream_;
  const std::size_t limit_;
  mutable std::mutex mutex_;
  std::size_t in_use_ = 0;
};

}  // namespace cuzk::cuda
