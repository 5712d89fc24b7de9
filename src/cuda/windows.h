/// How the scalars of a multi-scalar multiplication are cut into digits.
#pragma once

#include "base/types.h"
#include "field/host_device.h"

namespace cuzk::cuda {

/// The windows of a scalar: a window of b bits has a digit in [-2^(b-1), 2^(b-1)), so that a set of 2^(b-1) buckets serves
/// it. The lowest `wide` windows have `bits` bits, the others one less. A scalar plus 2^(b-1) in every window must fit in
/// them all.
///
/// Where `multiples` of each point are at hand, all windows are wide and a set of buckets serves as many of them: window
/// w belongs to set w mod sets, and meets 2^(bits * (w - w mod sets)) times its point.
struct Windows {
  unsigned bits;
  unsigned wide;
  unsigned all;
  unsigned multiples = 1;
  unsigned first = 0, count = 0;  ///< which sets are meant

  /// All of them with so many bits, 3 at least. The highest takes what the others carry.
  CUZK_HD static constexpr unsigned in_scalar(unsigned bits) { return 255 / bits + 1; }
  static constexpr Windows uniform(unsigned bits, unsigned multiples = 1) {
    return {bits, in_scalar(bits), in_scalar(bits), multiples};
  }
  /// As many, but 256 bits in all, 8 or more in each: the fewest buckets.
  static constexpr Windows even(unsigned bits) {
    const unsigned all = in_scalar(bits), most = (256 + all - 1) / all;
    return {most, 256 - (most - 1) * all, all};
  }

  CUZK_HD constexpr unsigned sets() const { return (all + multiples - 1) / multiples; }
  /// From one multiple of a point to the next: so often is it doubled.
  constexpr unsigned doublings() const { return bits * sets(); }

  CUZK_HD constexpr unsigned width(unsigned window) const { return window < wide ? bits : bits - 1; }
  /// The lowest bit of a window.
  CUZK_HD constexpr unsigned place(unsigned window) const {
    return window * (bits - 1) + (window < wide ? window : wide);
  }

  CUZK_HD constexpr u32 buckets_of(unsigned set) const { return u32{1} << (width(set) - 1); }
  /// Of the sets that are meant.
  CUZK_HD constexpr u32 buckets() const {
    u32 buckets = 0;
    for (unsigned set = first; set < first + count; ++set) buckets += buckets_of(set);
    return buckets;
  }
  /// Windows of the sets that are meant.
  constexpr unsigned digits() const {
    unsigned digits = 0;
    for (unsigned set = first; set < first + count; ++set) digits += (all - set + sets() - 1) / sets();
    return digits;
  }
  constexpr Windows part(unsigned from, unsigned sets) const { return {bits, wide, all, multiples, from, sets}; }
};

/// Half of every window's range, as words of a scalar from the lowest.
struct ScalarShift {
  static constexpr unsigned kWords = 5;  // windows * bits is below 320
  u64 words[kWords];
};

constexpr ScalarShift scalar_shift(const Windows& windows) {
  ScalarShift shift{};
  for (unsigned window = 0; window < windows.all; ++window) {
    const unsigned place = windows.place(window) + windows.width(window) - 1;
    shift.words[place / 64] |= u64{1} << (place % 64);
  }
  return shift;
}

}  // namespace cuzk::cuda
