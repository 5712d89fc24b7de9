/// The values of all variables, with bits kept as bits.
///
/// The auxiliary variables are a table of segments in variable order, without gaps: a segment is a run of packed bits
/// or a run of field elements. 130 million variables of PoRep-32G take about 100 MB. A witness is secret: it is never
/// logged.
#pragma once

#include <span>
#include <vector>

#include "base/bit_vector.h"
#include "base/buffer.h"
#include "field/fr.h"

namespace cuzk::r1cs {

struct Segment {
  enum class Kind : u32 { bits, elements };
  Kind kind;
  u32 first;          ///< auxiliary index of its first variable
  u32 count;          ///< number of variables
  std::size_t start;  ///< place of the first value in Witness::bits or Witness::elements
};

class Witness {
 public:
  Witness() { inputs_.push_back(Fr::one()); }

  std::span<const Fr> inputs() const { return inputs_; }  ///< ONE first
  u32 aux_count() const { return aux_count_; }
  std::span<const Segment> segments() const { return segments_; }
  const BitVector& bits() const { return bits_; }
  std::span<const Fr> elements() const { return elements_; }

  /// Numbers of values that a witness will have, or has: memory for them is taken at once.
  struct Size {
    std::size_t inputs = 0, bits = 0, elements = 0;
  };
  Size size() const { return {inputs_.size(), bits_.size(), elements_.size()}; }
  void reserve(const Size& size);

  void add_input(const Fr& value) { inputs_.push_back(value); }
  void add_bits(u64 bits, unsigned count);  ///< at most 64, lowest first
  void add_bits(BitSpan bits);
  void add_element(const Fr& value);
  void add_elements(std::span<const Fr> values);

  /// Value of one auxiliary variable: for tests and messages; O(log segments).
  Fr aux(u32 index) const;

  /// The segment that holds an auxiliary variable; throws Error{internal} when there is no such variable.
  const Segment& segment_of(u32 index) const;

 private:
  void extend(Segment::Kind kind, u32 count, std::size_t start);

  std::vector<Fr> inputs_;
  std::vector<Segment> segments_;
  BitVector bits_;
  std::vector<Fr, PageAllocator<Fr>> elements_;  // page faults would cost more than the values
  u32 aux_count_ = 0;
};

/// The part of a witness that meets a key's query that lists only some variables (its density): over the listed
/// variables in order, the positions whose value is a bit that is 1, and the values of those that are field elements.
struct DenseWitness {
  BitVector ones;            ///< one bit for each point of the query
  std::vector<u32> indices;  ///< points of the query whose variable is a field element
  std::vector<Fr> scalars;   ///< their values, in the same order
};

/// density: one bit for each auxiliary variable. Points are counted from 0 for the first listed auxiliary variable.
DenseWitness select_dense(const Witness& witness, BitSpan density);

/// The same where every variable is listed.
DenseWitness select_all(const Witness& witness);

}  // namespace cuzk::r1cs
