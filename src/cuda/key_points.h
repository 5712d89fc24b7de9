/// The points of one vector of a key: in a device's memory, or in the host's, from where proofs fetch them in tiles.
#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <span>
#include <utility>

#include "base/buffer.h"
#include "cuda/device_buffer.h"
#include "cuda/memory_use.h"
#include "cuda/queue.h"
#include "cuda/stream.h"
#include "curve/point.h"

namespace cuzk::cuda {

/// Memory of the host that is page-locked while this lives, so that a device can fetch from it at the bus's speed. About
/// half a second a GiB. Throws Error{resource_exhausted}. Failpoint "cuda.pin".
class PinnedRange {
 public:
  PinnedRange() = default;
  explicit PinnedRange(std::span<std::byte> memory);

 private:
  struct Unpin {
    void operator()(void* memory) const noexcept;
  };
  std::unique_ptr<void, Unpin> memory_;
};

template <class Curve>
class KeyPoints {
 public:
  using Affine = AffinePoint<Curve>;

  KeyPoints() = default;
  KeyPoints(DeviceBuffer<Affine> points) : device_(std::move(points)) {}
  /// Pins the memory.
  KeyPoints(Buffer<Affine> points)
      : host_(std::move(points)), pinned_(std::as_writable_bytes(host_.span())), is_resident_(false) {}

  std::size_t size() const { return is_resident_ ? device_.size() : host_.size(); }
  bool is_resident() const { return is_resident_; }
  std::span<const Affine> on_device() const { return device_.span(); }  ///< of resident points
  std::span<const Affine> on_host() const { return host_.span(); }      ///< of the others

 private:
  DeviceBuffer<Affine> device_;
  Buffer<Affine> host_;
  PinnedRange pinned_;  // ends before host_, whose memory it is
  bool is_resident_ = true;
};

template <class Affine>
std::array<DeviceBuffer<Affine>, 2> two_tiles(const Queue& queue, std::size_t points) {
  const MemoryUseScope use(MemoryUse::tile);
  return {DeviceBuffer<Affine>(queue.memory, points), DeviceBuffer<Affine>(queue.memory, points)};
}

/// Calls visit(first, tile) for all points in order, `tile_points` at a time, each tile in the device's memory until visit
/// returns. While one is used the next is fetched, on a stream of its own. visit waits for the work that it enqueues on
/// the queue. Memory: two tiles, and nothing for resident points.
template <class Curve, class Visit>
void for_each_tile(const Queue& queue, const KeyPoints<Curve>& points, std::size_t tile_points, Visit&& visit) {
  using Affine = AffinePoint<Curve>;
  const std::size_t size = points.size(), most = std::min(std::max<std::size_t>(tile_points, 1), size);
  if (points.is_resident()) {
    for (std::size_t first = 0; first < size; first += most)
      visit(first, points.on_device().subspan(first, std::min(most, size - first)));
    return;
  }
  const Stream copies;
  auto tiles = two_tiles<Affine>(queue, most);
  std::array<Event, 2> fetched;
  const IdleAtEnd idle(copies);
  const auto tile_of = [&](std::size_t first) {
    return tiles[first / most % 2].span().first(std::min(most, size - first));
  };
  const auto fetch = [&](std::size_t first) {
    if (first >= size) return;
    copy(tile_of(first), points.on_host().subspan(first, tile_of(first).size()), copies);
    fetched[first / most % 2].record(copies);
  };
  Event memory_is_free;  // of work that used it before
  memory_is_free.record(queue.stream);
  copies.wait(memory_is_free);
  fetch(0);
  for (std::size_t first = 0; first < size; first += most) {
    fetch(first + most);
    queue.stream.wait(fetched[first / most % 2]);
    visit(first, std::span<const Affine>(tile_of(first)));
  }
}

}  // namespace cuzk::cuda
