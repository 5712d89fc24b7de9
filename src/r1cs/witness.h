/// The values of all variables, with bits kept as bits and hashes as what goes into them.
///
/// The auxiliary variables are a table of segments in variable order, without gaps: a segment is a run of packed bits, a
/// run of field elements, or the 300 to 600 variables of a Poseidon hash, of which only the inputs are kept. 130 million
/// variables of PoRep-32G take 25 MB, the 125 million full-size ones of WindowPoSt-32G 250 MB. r1cs/expansion.h writes
/// hashes out for those who want each value in memory. A witness is secret: it is never logged.
#pragma once

#include <span>
#include <vector>

#include "base/bit_vector.h"
#include "base/buffer.h"
#include "field/fr.h"
#include "hash/poseidon_form.h"

namespace cuzk::r1cs {

struct Segment {
  enum class Kind : u8 { bits, elements, hash };
  Kind kind;
  PoseidonForm form;  ///< of a hash
  u32 first;          ///< auxiliary index of its first variable
  u32 count;          ///< number of variables
  std::size_t start;  ///< place of the first value in Witness::bits or elements, of the first input in hash_inputs
};

class Witness {
 public:
  Witness() { inputs_.push_back(Fr::one()); }

  std::span<const Fr> inputs() const { return inputs_; }  ///< ONE first
  u32 aux_count() const { return aux_count_; }
  std::span<const Segment> segments() const { return segments_; }
  const BitVector& bits() const { return bits_; }
  std::span<const Fr> elements() const { return elements_; }
  std::span<const Fr> hash_inputs() const { return hash_inputs_; }
  std::span<const Fr> hash_inputs(const Segment& hash) const {
    return hash_inputs().subspan(hash.start, hash.form.arity);
  }

  /// Whether every variable's value is in bits() or elements().
  bool is_plain() const { return hash_inputs_.empty(); }

  /// Numbers of values that a witness will have, or has: memory for them is taken at once.
  struct Size {
    std::size_t inputs = 0, bits = 0, elements = 0, hash_inputs = 0, segments = 0;
  };
  Size size() const { return {inputs_.size(), bits_.size(), elements_.size(), hash_inputs_.size(), segments_.size()}; }
  void reserve(const Size& size);

  /// Bytes that it takes.
  std::size_t memory() const;

  void add_input(const Fr& value) { inputs_.push_back(value); }
  void add_bits(u64 bits, unsigned count);  ///< at most 64, lowest first
  void add_bits(BitSpan bits);
  void add_element(const Fr& value);
  void add_elements(std::span<const Fr> values);
  /// The variables of a hash, in the order of hash/poseidon_trace.h, of which the last is the hash itself.
  void add_hash(const PoseidonForm& form, std::span<const Fr> inputs);

  /// The variables of some segments of another witness.
  void add_segments(const Witness& from, std::span<const Segment> segments);

  /// Value of one auxiliary variable: for tests and messages; O(log segments), and for a hash's as long as the hash.
  Fr aux(u32 index) const;

  /// The segment that holds an auxiliary variable; throws Error{internal} when there is no such variable.
  const Segment& segment_of(u32 index) const;

 private:
  void add_bits(BitSpan bits, std::size_t first, std::size_t count);
  void extend(Segment::Kind kind, u32 count, std::size_t start);

  std::vector<Fr> inputs_;
  std::vector<Segment> segments_;
  BitVector bits_;
  std::vector<Fr, PageAllocator<Fr>> elements_, hash_inputs_;  // page faults would cost more than the values
  u32 aux_count_ = 0;
};

/// The part of a witness that meets a key's query that lists only some variables (its density): over the listed
/// variables in order, the positions whose value is a bit that is 1, and the values of those that are field elements.
struct DenseWitness {
  BitVector ones;            ///< one bit for each point of the query
  std::vector<u32> indices;  ///< points of the query whose variable is a field element
  std::vector<Fr> scalars;   ///< their values, in the same order
};

/// density: one bit for each auxiliary variable. Points are counted from 0 for the first listed auxiliary variable. Throws
/// Error{internal} for a density of another length, and for a witness that is not plain.
DenseWitness select_dense(const Witness& witness, BitSpan density);

/// The same where every variable is listed.
DenseWitness select_all(const Witness& witness);

}  // namespace cuzk::r1cs
