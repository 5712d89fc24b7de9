/// Counts what one user takes from a resource: calls, bytes and their peak.
#pragma once

#include <mutex>

#include "cuda/memory_resource.h"

namespace cuzk::cuda {

class StatisticsResource final : public MemoryResource {
 public:
  struct Statistics {
    u64 allocations = 0;    ///< that succeeded
    u64 deallocations = 0;  ///< as many as allocations when nothing leaks
    u64 refusals = 0;       ///< allocations that upstream refused
    std::size_t bytes = 0;  ///< held now
    std::size_t peak = 0;   ///< the most ever held

    bool operator==(const Statistics&) const = default;
  };

  explicit StatisticsResource(MemoryResource& upstream) : upstream_(upstream) {}

  Statistics statistics() const;

 private:
  void* take(std::size_t bytes) override;
  void give_back(void* memory, std::size_t bytes) noexcept override;

  MemoryResource& upstream_;
  mutable std::mutex mutex_;
  Statistics statistics_;
};

}  // namespace cuzk::cuda
