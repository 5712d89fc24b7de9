/// How many points of a key a proof takes at a time.
#pragma once

#include <algorithm>
#include <bit>

#include "cuda/arena.h"
#include "cuda/key_points.h"
#include "cuda/msm.h"

namespace cuzk::cuda {

/// Points of a key that are taken at a time, and digits of their scalars that are sorted and added at a time (msm.h).
struct Tiling {
  std::size_t points;
  std::size_t digits = kMsmDigits;

  static Tiling all() { return {SIZE_MAX}; }
};

/// What a stream that allocates from this arena has room for. The work on a point or a digit takes 240 bytes in G1, 480 in
/// G2, with the buckets of tiles half as much again; two tiles of a streamed key lie beside it.
class TileRoom {
 public:
  /// For memory that was made large enough for all points of a resident key.
  static constexpr std::size_t kAll = SIZE_MAX;

  /// fixed: so many points whatever there is; 0: what memory allows.
  explicit TileRoom(const Arena& memory, std::size_t fixed = 0) : memory_(memory), fixed_(fixed) {}

  /// At the moment.
  template <class Curve>
  Tiling tiling(const KeyPoints<Curve>& key) const {
    if (fixed_ == kAll) return Tiling::all();
    constexpr std::size_t kSize = sizeof(AffinePoint<Curve>), kWork = kSize / 2 * 5;
    const std::size_t held = key.is_resident() ? 0 : 2 * kSize, free = free_memory();
    const std::size_t points = fixed_ != 0                                       ? fixed_
                               : key.is_resident() && key.size() <= free / kWork ? key.size()
                                                                                 : tile(free / (kWork / 2 * 3 + held));
    const std::size_t tiles = held * std::min(points, key.size());
    return {points, std::clamp<std::size_t>((free - std::min(free, tiles)) / kWork, 1, kMsmDigits)};
  }

 private:
  /// A power of two where there is room for so many points.
  static std::size_t tile(std::size_t room) {
    constexpr std::size_t kMost = std::size_t{1} << 24;
    return std::min(std::bit_floor(std::max<std::size_t>(room, 1)), kMost);
  }

  std::size_t free_memory() const {
    constexpr std::size_t kSlack = std::size_t{1} << 28;  // buckets, sorting
    const std::size_t all = memory_.usage().largest_free;
    return all - std::min(all / 2, kSlack);
  }

  const Arena& memory_;
  std::size_t fixed_;
};

}  // namespace cuzk::cuda
