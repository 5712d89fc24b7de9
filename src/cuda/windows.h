/// How the scalars of a multi-scalar multiplication are cut into digits.
#pragma once

#include "base/types.h"
#include "field/host_device.h"

namespace cuzk::cuda {

/// Windows of a scalar: digits of `bits` bits in [-2^(bits-1), 2^(bits-1)), so that a set of 2^(bits-1) buckets serves a
/// window. A scalar plus 2^(bits-1) in every window must fit in them, which takes bits of 3 at least.
///
/// Where `multiples` of each point are at hand, a set of buckets serves as many windows: window w belongs to set w mod
/// sets, and meets 2^(bits * (w - w mod sets)) times its point.
struct Windows {
  unsigned bits;
  unsigned multiples = 1;
  unsigned first = 0, count = 0;  ///< which sets are meant

  /// All that a scalar of Fr has; the highest takes what the others carry.
  CUZK_HD static constexpr unsigned in_scalar(unsigned bits) { return 255 / bits + 1; }
  CUZK_HD constexpr unsigned sets_in_scalar() const { return (in_scalar(bits) + multiples - 1) / multiples; }
  /// From one multiple of a point to the next: so often is it doubled.
  constexpr unsigned doublings() const { return bits * sets_in_scalar(); }

  CUZK_HD constexpr u32 buckets_of_one() const { return u32{1} << (bits - 1); }
  CUZK_HD constexpr u32 buckets() const { return count * buckets_of_one(); }
  /// Windows of the sets that are meant.
  constexpr unsigned digits() const {
    unsigned digits = 0;
    for (unsigned set = first; set < first + count; ++set)
      digits += (in_scalar(bits) - set + sets_in_scalar() - 1) / sets_in_scalar();
    return digits;
  }
  constexpr Windows part(unsigned from, unsigned sets) const { return {bits, multiples, from, sets}; }
};

/// 2^(bits-1) in every window of a scalar, as words from the lowest.
struct ScalarShift {
  static constexpr unsigned kWords = 5;  // windows * bits is below 320
  u64 words[kWords];
};

constexpr ScalarShift scalar_shift(unsigned bits) {
  ScalarShift shift{};
  for (unsigned window = 0; window < Windows::in_scalar(bits); ++window) {
    const unsigned place = window * bits + bits - 1;
    shift.words[place / 64] |= u64{1} << (place % 64);
  }
  return shift;
}

}  // namespace cuzk::cuda
