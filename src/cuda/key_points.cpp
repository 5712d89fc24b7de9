#include "cuda/key_points.h"

#include <cuda_runtime_api.h>

#include "base/failpoint.h"
#include "cuda/error.h"

namespace cuzk::cuda {

PinnedRange::PinnedRange(std::span<std::byte> memory) {
  if (memory.empty()) return;
  CUZK_FAILPOINT("cuda.pin");
  check(cudaHostRegister(memory.data(), memory.size(), cudaHostRegisterPortable), "cudaHostRegister");
  memory_.reset(memory.data());
}

void PinnedRange::Unpin::operator()(void* memory) const noexcept {
  check_or_log(cudaHostUnregister(memory), "cudaHostUnregister");
}

}  // namespace cuzk::cuda
