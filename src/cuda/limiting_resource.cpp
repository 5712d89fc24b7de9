#include "cuda/limiting_resource.h"

#include "base/error.h"

namespace cuzk::cuda {

std::size_t LimitingResource::in_use() const {
  const std::lock_guard lock(mutex_);
  return in_use_;
}

void* LimitingResource::take(std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  if (bytes > limit_ - in_use_)
    throw Error(Code::resource_exhausted, fmt::format("device memory: {} bytes asked, {} left of a limit of {}", bytes,
                                                      limit_ - in_use_, limit_));
  void* const memory = upstream_.allocate(bytes);
  in_use_ += bytes;
  return memory;
}

void LimitingResource::give_back(void* memory, std::size_t bytes) noexcept {
  const std::lock_guard lock(mutex_);
  upstream_.deallocate(memory, bytes);
  in_use_ -= bytes;
}

}  // namespace cuzk::cuda
