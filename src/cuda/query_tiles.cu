#include "cuda/error.h"
#include "cuda/query_tiles.h"

namespace cuzk::cuda {
namespace {

constexpr unsigned kThreads = 256;

/// Each thread finds where one tile begins.
__global__ void find_starts(const u32* list, u32 size, u64 tile_points, u32* starts, u32 count) {
  const u32 tile = blockIdx.x * blockDim.x + threadIdx.x;
  if (tile >= count) return;
  u32 low = 0;
  for (u32 high = size; low < high;) {
    const u32 middle = low + (high - low) / 2;
    if (list[middle] < tile * tile_points) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  starts[tile] = low;
}

__global__ void subtract(const u32* entries, u32 count, u32 first, u32* within) {
  const u32 i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) within[i] = entries[i] - first;
}

}  // namespace

std::vector<u32> tile_starts(const Queue& queue, std::span<const u32> list, std::size_t tile_points,
                             std::size_t points) {
  const std::size_t count = (points + tile_points - 1) / tile_points + 1;
  DeviceBuffer<u32> starts(queue.memory, count);
  find_starts<<<blocks_for(count, kThreads), kThreads, 0, queue.stream.handle()>>>(
      list.data(), static_cast<u32>(list.size()), tile_points, starts.data(), static_cast<u32>(count));
  check_launch("find_starts");
  return starts.to_host(queue.stream);
}

DeviceBuffer<u32> within_tile(const Queue& queue, std::span<const u32> entries, std::size_t first_point) {
  DeviceBuffer<u32> within(queue.memory, entries.size());
  if (entries.empty()) return within;
  subtract<<<blocks_for(entries.size(), kThreads), kThreads, 0, queue.stream.handle()>>>(
      entries.data(), static_cast<u32>(entries.size()), static_cast<u32>(first_point), within.data());
  check_launch("within_tile");
  return within;
}

}  // namespace cuzk::cuda
