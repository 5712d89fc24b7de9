/// How the scalars of a multi-scalar multiplication are cut into digits.
#pragma once

#include "base/types.h"
#include "field/host_device.h"

namespace cuzk::cuda {

/// Windows of a scalar: digits of `bits` bits in [-2^(bits-1), 2^(bits-1)), so that 2^(bits-1) buckets serve a window. A scalar plus 2^(bits-1) in
/// every window must fit in them, which takes bits of 3 at least.
struct Windows {
  unsigned bits;
  unsigned first, count;  ///< which of them are meant

  /// All that a scalar of Fr has; the highest takes what the others carry.
  CUZK_HD static constexpr unsigned in_scalar(unsigned bits) { return 255 / bits + 1; }
  CUZK_HD constexpr u32 buckets_of_one() const { return u32{1} << (bits - 1); }
  CUZK_HD constexpr u32 buckets() const { return count * buckets_of_one(); }
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
