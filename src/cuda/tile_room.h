/// How many points of a key a proof takes at a time.
#pragma once

#include <algorithm>
#include <bit>

#include "cuda/arena.h"
#include "cuda/key_points.h"

namespace cuzk::cuda {

/// Of a stream that allocates from this arena. The work on a point (sorting, sums, one window's digits) takes 320 bytes in
/// G1, 640 in G2; two tiles of a streamed key lie beside it.
class TileRoom {
 public:
  /// fixed: so many points whatever there is; 0: what memory allows.
  explicit TileRoom(const Arena& memory, std::size_t fixed = 0) : memory_(memory), fixed_(fixed) {}

  /// At the moment; all of them where there is enough.
  template <class Curve>
  std::size_t points(const KeyPoints<Curve>& key) const {
    if (fixed_ != 0) return fixed_;
    constexpr std::size_t kSize = sizeof(AffinePoint<Curve>), kWork = kSize * 10 / 3, kMostStreamed = 1 << 24;
    const std::size_t free = memory_.usage().largest_free;
    if (key.is_resident() && free / kWork >= key.size()) return key.size();
    const std::size_t room = std::max<std::size_t>(free / (kWork + (key.is_resident() ? 0 : 2 * kSize)), 1);
    return std::min(std::bit_floor(room), kMostStreamed);
  }

 private:
  const Arena& memory_;
  std::size_t fixed_;
};

}  // namespace cuzk::cuda
