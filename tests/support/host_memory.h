/// Memory resources for tests: the host's memory in the place of a device's, and one that refuses on demand.
#pragma once

#include <new>

#include "base/error.h"
#include "cuda/memory_resource.h"

namespace cuzk::test {

/// operator new, so that the sanitizers see every byte that is not given back.
class HostMemory final : public cuda::MemoryResource {
 private:
  void* take(std::size_t bytes) override {
    void* const memory = ::operator new (bytes, std::align_val_t{kAlignment}, std::nothrow);
    if (memory == nullptr) throw Error(Code::resource_exhausted, fmt::format("host: no {} bytes", bytes));
    return memory;
  }
  void give_back(void* memory, std::size_t) noexcept override {
    ::operator delete (memory, std::align_val_t{kAlignment});
  }
};

/// Lets `successes` allocations through to upstream and refuses all later ones.
class FailingResource final : public cuda::MemoryResource {
 public:
  FailingResource(cuda::MemoryResource& upstream, unsigned successes) : upstream_(upstream), successes_(successes) {}

 private:
  void* take(std::size_t bytes) override {
    if (successes_ == 0) throw Error(Code::resource_exhausted, fmt::format("made to refuse {} bytes", bytes));
    --successes_;
    return upstream_.allocate(bytes);
  }
  void give_back(void* memory, std::size_t bytes) noexcept override { upstream_.deallocate(memory, bytes); }

  cuda::MemoryResource& upstream_;
  unsigned successes_;
};

}  // namespace cuzk::test
