#include "cuda/device_buffer.h"

#include "base/failpoint.h"
#include "cuda/error.h"

namespace cuzk::cuda {

void copy_bytes(std::span<std::byte> to, std::span<const std::byte> from, const Stream& stream) {
  CUZK_FAILPOINT("cuda.memcpy");
  if (to.size() != from.size()) throw internal_error("copy: {} bytes into {} bytes", from.size(), to.size());
  if (to.empty()) return;
  check(cudaMemcpyAsync(to.data(), from.data(), from.size(), cudaMemcpyDefault, stream.handle()), "cudaMemcpyAsync");
}

void fill_bytes(std::span<std::byte> memory, u8 value, const Stream& stream) {
  CUZK_FAILPOINT("cuda.memcpy");
  if (memory.empty()) return;
  check(cudaMemsetAsync(memory.data(), value, memory.size(), stream.handle()), "cudaMemsetAsync");
}

}  // namespace cuzk::cuda
