/// Strings of bits as a WitnessBuilder carries them: values, and which of them are variables.
#pragma once

#include <algorithm>

#include "base/bit_vector.h"

namespace cuzk::r1cs {

/// What is not a variable is a constant of the circuit: gadgets fold it away, so the mask decides which variables they
/// allocate.
class BitString {
 public:
  std::size_t size() const { return values_.size(); }

  /// At most 64 bits, lowest first; both masks.
  struct Chunk {
    u64 values, variables;
  };

  void append(Chunk chunk, unsigned count) {
    values_.append(chunk.values, count);
    variables_.append(chunk.variables, count);
  }
  void append(const BitString& other) { append(other, 0, other.size()); }
  void append(const BitString& other, std::size_t first, std::size_t count) {
    for (std::size_t i = 0; i < count; i += 64) {
      const unsigned taken = static_cast<unsigned>(std::min<std::size_t>(64, count - i));
      append(other.chunk(first + i, taken), taken);
    }
  }

  /// `count` (at most 64) bits from `first` on.
  Chunk chunk(std::size_t first, unsigned count) const {
    return {BitSpan(values_).chunk(first, count), BitSpan(variables_).chunk(first, count)};
  }

 private:
  BitVector values_, variables_;
};

}  // namespace cuzk::r1cs
