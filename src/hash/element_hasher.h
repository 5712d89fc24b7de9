/// SHA-256 of field elements, 32 canonical little-endian bytes each: how the vectors name a witness and its evaluations.
#pragma once

#include <span>
#include <vector>

#include "field/fr.h"
#include "hash/sha256.h"

namespace cuzk {

/// One thread at a time. Most values of a circuit of bits are 0 or 1: their bytes are ready.
class ElementHasher {
 public:
  void add(const Fr& value) {
    const Fr::Bytes bytes = value.is_zero() ? kZero : value.is_one() ? kOne : value.to_bytes();
    buffer_.insert(buffer_.end(), bytes.begin(), bytes.end());
    if (buffer_.size() >= kBufferBytes) flush();
  }
  void add(std::span<const Fr> values) {
    for (const Fr& value : values) add(value);
  }

  /// Of everything that was added; the hasher is used up.
  Digest finish() {
    flush();
    return hash_.finish();
  }

 private:
  static constexpr std::size_t kBufferBytes = std::size_t{1} << 15;
  static constexpr Fr::Bytes kZero{}, kOne{1};

  void flush() {
    hash_.update(buffer_);
    buffer_.clear();
  }

  Sha256 hash_;
  std::vector<u8> buffer_;
};

}  // namespace cuzk
