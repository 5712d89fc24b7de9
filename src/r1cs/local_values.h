/// The values of one instance's variables, by local number: for evaluation.
#pragma once

#include <vector>

#include "base/bit_vector.h"
#include "base/buffer.h"
#include "r1cs/circuit.h"
#include "r1cs/witness.h"

namespace cuzk::r1cs {

/// Bits stay packed; a second set of bits tells which variables are field elements instead. One instance at a time, and
/// the memory stays for the next one.
class LocalValues {
 public:
  /// Of a plain witness.
  explicit LocalValues(const Witness& witness) : witness_(witness) {}

  void load(const Circuit& circuit, const Instance& instance);

  bool only_bits() const { return !any_element_; }
  BitSpan bits() const { return {bits_.words.data(), size_}; }            ///< 0 where there is an element
  BitSpan elements() const { return {is_element_.words.data(), size_}; }  ///< 1 where there is an element
  const Fr& element(u32 local) const { return values_[local]; }
  Fr value(u32 local) const;

  /// Each variable's bit in a byte of its own; only where all are bits.
  std::span<const u8> bytes();

 private:
  struct PackedBits {
    std::vector<u64> words;
    void put(std::size_t place, u64 bits, unsigned count);
  };

  void add_element(const Fr& value);
  void add_aux(u32 first, u32 count);
  void add_segment(const Segment& segment, std::size_t start, u32 count);

  const Witness& witness_;
  std::size_t size_ = 0;
  bool any_element_ = false;
  PackedBits bits_, is_element_;
  Buffer<Fr> values_;       // only where is_element_ says so
  std::vector<u64> bytes_;  // eight in a word
};

}  // namespace cuzk::r1cs
