/// How many points of a key a proof takes at a time.
#pragma once

#include <algorithm>
#include <bit>

#include "cuda/arena.h"
#include "cuda/key_points.h"

namespace cuzk::cuda {

/// Of a stream that allocates from this arena. The work on a point (sums, or one window's digits) takes 240 bytes in G1,
/// 480 in G2; two tiles of a streamed key lie beside it.
class TileRoom {
 public:
  /// For memory that was made large enough for all points of a resident key.
  static constexpr std::size_t kAll = SIZE_MAX;

  /// fixed: so many points whatever there is; 0: what memory allows.
  explicit TileRoom(const Arena& memory, std::size_t fixed = 0) : memory_(memory), fixed_(fixed) {}

  /// At the moment; all of them where there is enough.
  template <class Curve>
  std::size_t points(const KeyPoints<Curve>& key) const {
    if (fixed_ != 0) return fixed_;
    constexpr std::size_t kSize = sizeof(AffinePoint<Curve>), kWork = kSize / 2 * 5, kMostStreamed = 1 << 24;
    constexpr std::size_t kSlack = std::size_t{1} << 28;  // buckets, sorting
    const std::size_t all = memory_.usage().largest_free, free = all - std::min(all / 2, kSlack);
    if (key.is_resident() && free / kWork >= key.size()) return key.size();
    const std::size_t room = std::max<std::size_t>(free / (kWork + (key.is_resident() ? 0 : 2 * kSize)), 1);
    return std::min(std::bit_floor(room), kMostStreamed);
  }

 private:
  const Arena& memory_;
  std::size_t fixed_;
};

}  // namespace cuzk::cuda
