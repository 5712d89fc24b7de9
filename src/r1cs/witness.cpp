#include "r1cs/witness.h"

#include <algorithm>

#include "base/error.h"
#include "hash/poseidon_batch.h"
#include "r1cs/bit_gather.h"

namespace cuzk::r1cs {

void Witness::reserve(const Size& size) {
  inputs_.reserve(size.inputs);
  bits_.reserve(size.bits);
  elements_.reserve(size.elements);
  hash_inputs_.reserve(size.hash_inputs);
  segments_.reserve(size.segments);
}

std::size_t Witness::memory() const {
  return bits_.size() / 8 + (inputs_.size() + elements_.size() + hash_inputs_.size()) * sizeof(Fr) +
         segments_.size() * sizeof(Segment);
}

void Witness::extend(Segment::Kind kind, u32 count, std::size_t start) {
  if (count == 0) return;
  if (u64{aux_count_} + count >= u64{1} << 31) throw internal_error("a witness of more than 2^31 variables");
  if (kind != Segment::Kind::hash && !segments_.empty() && segments_.back().kind == kind) {
    segments_.back().count += count;
  } else {
    segments_.push_back({kind, {}, aux_count_, count, start});
  }
  aux_count_ += count;
}

void Witness::add_bits(u64 bits, unsigned count) {
  extend(Segment::Kind::bits, count, bits_.size());
  bits_.append(bits, count);
}

void Witness::add_bits(BitSpan bits) { add_bits(bits, 0, bits.size); }

void Witness::add_bits(BitSpan bits, std::size_t first, std::size_t count) {
  extend(Segment::Kind::bits, static_cast<u32>(count), bits_.size());
  for (std::size_t i = 0; i < count; i += 64) {
    const auto some = static_cast<unsigned>(std::min<std::size_t>(64, count - i));
    bits_.append(bits.chunk(first + i, some), some);
  }
}

void Witness::add_element(const Fr& value) { add_elements({&value, 1}); }

void Witness::add_elements(std::span<const Fr> values) {
  extend(Segment::Kind::elements, static_cast<u32>(values.size()), elements_.size());
  elements_.insert(elements_.end(), values.begin(), values.end());
}

void Witness::add_hash(const PoseidonForm& form, std::span<const Fr> inputs) {
  if (inputs.size() != form.arity) throw internal_error("a hash of {} inputs, arity {}", inputs.size(), form.arity);
  const std::size_t count = poseidon_trace_size(PoseidonConstants::of_arity(form.arity));
  extend(Segment::Kind::hash, static_cast<u32>(count), hash_inputs_.size());
  segments_.back().form = form;
  hash_inputs_.insert(hash_inputs_.end(), inputs.begin(), inputs.end());
}

void Witness::add_segments(const Witness& from, std::span<const Segment> segments) {
  for (const Segment& segment : segments) {
    switch (segment.kind) {
      case Segment::Kind::bits: add_bits(from.bits(), segment.start, segment.count); break;
      case Segment::Kind::elements: add_elements(from.elements().subspan(segment.start, segment.count)); break;
      case Segment::Kind::hash: add_hash(segment.form, from.hash_inputs(segment)); break;
    }
  }
}

const Segment& Witness::segment_of(u32 index) const {
  if (index >= aux_count_) throw internal_error("witness: variable {} of {}", index, aux_count_);
  const auto next = std::upper_bound(segments_.begin(), segments_.end(), index,
                                     [](u32 i, const Segment& segment) { return i < segment.first; });
  return *std::prev(next);
}

Fr Witness::aux(u32 index) const {
  const Segment& segment = segment_of(index);
  const std::size_t offset = index - segment.first;
  switch (segment.kind) {
    case Segment::Kind::bits: return bits_[segment.start + offset] ? Fr::one() : Fr::zero();
    case Segment::Kind::elements: return elements_[segment.start + offset];
    case Segment::Kind::hash: break;
  }
  std::vector<Fr> trace(segment.count);
  poseidon_traces(PoseidonKind::of(segment.form), hash_inputs(segment), trace);
  return trace[offset];
}

namespace {

class Selection {
 public:
  Selection(const Witness& witness, BitSpan density) : witness_(witness), density_(density) {
    result_.ones.reserve(density.size);
  }

  DenseWitness run() && {
    for (const Segment& segment : witness_.segments()) {
      if (segment.kind == Segment::Kind::bits) {
        select_bits(segment);
      } else {
        select_elements(segment);
      }
    }
    return std::move(result_);
  }

 private:
  void select_bits(const Segment& segment) {
    for (u32 i = 0; i < segment.count; i += 64) {
      const unsigned count = std::min(64u, segment.count - i);
      const u64 listed = density_.chunk(segment.first + std::size_t{i}, count);
      const u64 values = BitSpan(witness_.bits()).chunk(segment.start + i, count);
      result_.ones.append(gather_bits(values, listed), static_cast<unsigned>(std::popcount(listed)));
    }
  }

  void select_elements(const Segment& segment) {
    for (u32 i = 0; i < segment.count; i += 64) {
      u64 listed = density_.chunk(segment.first + std::size_t{i}, std::min(64u, segment.count - i));
      const std::size_t first_point = result_.ones.size();
      result_.ones.append(0, static_cast<unsigned>(std::popcount(listed)));
      for (u32 point = static_cast<u32>(first_point); listed != 0; listed &= listed - 1, ++point) {
        result_.indices.push_back(point);
        result_.scalars.push_back(witness_.elements()[segment.start + i + static_cast<u32>(std::countr_zero(listed))]);
      }
    }
  }

  const Witness& witness_;
  BitSpan density_;
  DenseWitness result_;
};

}  // namespace

DenseWitness select_dense(const Witness& witness, BitSpan density) {
  if (density.size != witness.aux_count()) {
    throw internal_error("density of {} variables for a witness of {}", density.size, witness.aux_count());
  }
  if (!witness.is_plain()) throw internal_error("a witness whose hashes are not written out");
  return Selection(witness, density).run();
}

DenseWitness select_all(const Witness& witness) {
  const std::vector<u64> every(witness.aux_count() / 64 + 1, ~u64{0});
  return select_dense(witness, {every.data(), witness.aux_count()});
}

}  // namespace cuzk::r1cs
