/// SHA-256 of field elements, 32 canonical little-endian bytes each: how the vectors name a witness and its evaluations.
#pragma once

#include <cstring>
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
    std::memcpy(buffer_.data() + used_, bytes.data(), Fr::kBytes);
    used_ += Fr::kBytes;
    if (used_ == buffer_.size()) flush();
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
  static_assert(kBufferBytes % Fr::kBytes == 0);
  static constexpr Fr::Bytes kZero{}, kOne{1};

  void flush() {
    hash_.update(std::span(buffer_).first(used_));
    used_ = 0;
  }

  Sha256 hash_;
  std::vector<u8> buffer_ = std::vector<u8>(kBufferBytes);
  std::size_t used_ = 0;
};

}  // namespace cuzk
