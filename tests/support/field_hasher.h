/// SHA-256 of field elements as the vectors have it: 32 canonical bytes each, little-endian.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/hex.h"
#include "hash/sha256.h"
#include "r1cs/witness.h"

namespace cuzk::test {

class FieldHasher {
 public:
  void add(const Fr& value) {
    static constexpr Fr::Bytes zero{}, one{1};  // most values of a circuit of bits
    const auto bytes = value.is_zero() ? zero : value.is_one() ? one : value.to_bytes();
    buffer_.insert(buffer_.end(), bytes.begin(), bytes.end());
    if (buffer_.size() >= std::size_t{1} << 15) flush();
  }
  void add(std::span<const Fr> values) {
    for (const Fr& value : values) add(value);
  }

  std::string finish() {
    flush();
    return to_hex(hash_.finish());
  }

 private:
  void flush() {
    hash_.update(buffer_);
    buffer_.clear();
  }

  Sha256 hash_;
  std::vector<u8> buffer_;
};

/// Of ONE, the public inputs and the auxiliary variables.
inline std::string witness_sha256(const r1cs::Witness& witness) {
  FieldHasher hasher;
  hasher.add(witness.inputs());
  const BitSpan bits = witness.bits();
  for (const r1cs::Segment& segment : witness.segments()) {
    if (segment.kind == r1cs::Segment::Kind::elements) {
      hasher.add(witness.elements().subspan(segment.start, segment.count));
    } else {
      for (u32 i = 0; i < segment.count; ++i) hasher.add(bits[segment.start + i] ? Fr::one() : Fr::zero());
    }
  }
  return hasher.finish();
}

}  // namespace cuzk::test
