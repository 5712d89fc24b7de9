#include "cuda/statistics_resource.h"

#include <algorithm>

namespace cuzk::cuda {

StatisticsResource::Statistics StatisticsResource::statistics() const {
  const std::lock_guard lock(mutex_);
  return statistics_;
}

void* StatisticsResource::take(std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  ++statistics_.refusals;  // unless upstream returns
  void* const memory = upstream_.allocate(bytes);
  --statistics_.refusals;
  ++statistics_.allocations;
  statistics_.bytes += bytes;
  statistics_.peak = std::max(statistics_.peak, statistics_.bytes);
  return memory;
}

void StatisticsResource::give_back(void* memory, std::size_t bytes) noexcept {
  const std::lock_guard lock(mutex_);
  upstream_.deallocate(memory, bytes);
  ++statistics_.deallocations;
  statistics_.bytes -= bytes;
}

}  // namespace cuzk::cuda
