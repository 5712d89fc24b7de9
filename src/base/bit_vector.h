/// Packed bits, 64 in a word, bit i at word i / 64, place i % 64. Bits past the end are zero.
#pragma once

#include <bit>
#include <vector>

#include "base/types.h"

namespace cuzk {

/// A read-only view of packed bits. The words are owned by whoever made them.
struct BitSpan {
  const u64* words = nullptr;
  std::size_t size = 0;  ///< in bits

  bool operator[](std::size_t i) const { return ((words[i / 64] >> (i % 64)) & 1) != 0; }

  /// The `count` (at most 64) bits from `first` on, lowest first; all must lie inside.
  u64 chunk(std::size_t first, unsigned count) const {
    if (count == 0) return 0;
    const unsigned place = static_cast<unsigned>(first % 64);
    u64 value = words[first / 64] >> place;
    if (place + count > 64) value |= words[first / 64 + 1] << (64 - place);
    return count == 64 ? value : value & ((u64{1} << count) - 1);
  }
};

/// Bits that grow at the end.
class BitVector {
 public:
  BitVector() = default;
  explicit BitVector(std::size_t size) : words_((size + 63) / 64), size_(size) {}

  std::size_t size() const { return size_; }
  bool operator[](std::size_t i) const { return ((words_[i / 64] >> (i % 64)) & 1) != 0; }
  void set(std::size_t i) { words_[i / 64] |= u64{1} << (i % 64); }
  void push_back(bool bit) { append(bit ? 1 : 0, 1); }

  /// Appends the `count` (at most 64) lowest bits of `bits`, lowest first; higher bits are ignored.
  void append(u64 bits, unsigned count) {
    if (count == 0) return;
    if (count < 64) bits &= (u64{1} << count) - 1;
    const unsigned place = static_cast<unsigned>(size_ % 64);
    if (place == 0) {
      words_.push_back(bits);
    } else {
      words_.back() |= bits << place;
      if (place + count > 64) words_.push_back(bits >> (64 - place));
    }
    size_ += count;
  }

  void reserve(std::size_t bits) { words_.reserve((bits + 63) / 64); }

  /// Number of ones.
  std::size_t count() const {
    std::size_t ones = 0;
    for (const u64 word : words_) ones += static_cast<std::size_t>(std::popcount(word));
    return ones;
  }

  operator BitSpan() const { return {words_.data(), size_}; }
  const std::vector<u64>& words() const { return words_; }

 private:
  std::vector<u64> words_;
  std::size_t size_ = 0;
};

}  // namespace cuzk
