/// The entries of a list of points, in ascending order, that fall into each tile of a key.
#pragma once

#include <span>
#include <vector>

#include "cuda/device_buffer.h"
#include "cuda/queue.h"

namespace cuzk::cuda {

/// For each tile of `tile_points` points, where the list's first entry of that tile or a later one stands; at the end the
/// list's size. The list is in the device's memory. Waits for the device.
std::vector<u32> tile_starts(const Queue& queue, std::span<const u32> list, std::size_t tile_points,
                             std::size_t points);

/// The entries counted from the tile's first point. Enqueues only.
DeviceBuffer<u32> within_tile(const Queue& queue, std::span<const u32> entries, std::size_t first_point);

}  // namespace cuzk::cuda
