#include "cuda/flip.h"

#include <array>

#include "base/failpoint.h"
#include "cuda/device_buffer.h"

namespace cuzk::cuda {

void flip_if_armed(std::string_view place, const Queue& queue, std::span<std::byte> memory) {
  if (memory.empty() || !failpoint::wants_flip(place)) return;
  const std::span<std::byte> one = memory.subspan(memory.size() / 2, 1);
  std::array<std::byte, 1> host;
  queue.stream.read(host, one);
  host[0] ^= std::byte{4};
  copy_bytes(one, host, queue.stream);
  queue.stream.synchronize();
}

}  // namespace cuzk::cuda
