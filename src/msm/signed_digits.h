/// Scalars as digits: what sorts points into buckets.
#pragma once

#include <span>

#include "base/buffer.h"
#include "base/thread_pool.h"
#include "base/types.h"
#include "field/fr.h"

namespace cuzk::msm {

/// The digits of one scalar, lowest first: it is the sum of digit_w * 2^(bits w), with digits in [-2^(bits-1),
/// 2^(bits-1)), so that half the buckets suffice. bits is in [3, 16].
class DigitReader {
 public:
  DigitReader(const Fr& scalar, unsigned bits) : integer_(scalar.to_integer()), bits_(bits) {}

  /// How many there are. They reach every scalar: the least room is that of bits = 4, up to 7/15 2^256, and r is less.
  static constexpr unsigned digits(unsigned bits) { return 255 / bits + 1; }

  std::int16_t next() {
    const i64 base = i64{1} << bits_;
    const i64 digit = static_cast<i64>(bits_at_place()) + carry_;
    carry_ = digit >= base / 2 ? 1 : 0;
    place_ += bits_;
    return static_cast<std::int16_t>(digit - carry_ * base);
  }

 private:
  /// The next bits_ bits; zeros past the end.
  u64 bits_at_place() const {
    const std::size_t word = place_ / 64;
    const unsigned shift = place_ % 64;
    if (word >= 4) return 0;
    u64 bits = integer_[word] >> shift;
    if (shift != 0 && word + 1 < 4) bits |= integer_[word + 1] << (64 - shift);
    return bits & ((u64{1} << bits_) - 1);
  }

  Limbs<4> integer_;
  unsigned bits_;
  unsigned place_ = 0;
  i64 carry_ = 0;
};

/// The digits of many scalars, all of a window side by side.
class SignedDigits {
 public:
  static constexpr unsigned kMinBits = 3, kMaxBits = 16;

  SignedDigits(std::span<const Fr> scalars, unsigned bits, ThreadPool& pool);

  std::span<const std::int16_t> window(std::size_t w) const { return digits_.span().subspan(w * count_, count_); }

 private:
  std::size_t count_;
  Buffer<std::int16_t> digits_;
};

}  // namespace cuzk::msm
