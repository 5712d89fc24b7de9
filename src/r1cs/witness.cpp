#include "r1cs/witness.h"

#include <algorithm>

#include "base/error.h"
#include "r1cs/bit_gather.h"

namespace cuzk::r1cs {

void Witness::reserve(const Size& size) {
  inputs_.reserve(size.inputs);
  bits_.reserve(size.bits);
  elements_.reserve(size.elements);
}

void Witness::extend(Segment::Kind kind, u32 count, std::size_t start) {
  if (count == 0) return;
  if (u64{aux_count_} + count >= u64{1} << 31) throw internal_error("a witness of more than 2^31 variables");
  if (!segments_.empty() && segments_.back().kind == kind) {
    segments_.back().count += count;
  } else {
    segments_.push_back({kind, aux_count_, count, start});
  }
  aux_count_ += count;
}

void Witness::add_bits(u64 bits, unsigned count) {
  extend(Segment::Kind::bits, count, bits_.size());
  bits_.append(bits, count);
}

void Witness::add_bits(BitSpan bits) {
  extend(Segment::Kind::bits, static_cast<u32>(bits.size), bits_.size());
  for (std::size_t i = 0; i < bits.size; i += 64) {
    bits_.append(bits.words[i / 64], static_cast<unsigned>(std::min<std::size_t>(64, bits.size - i)));
  }
}

void Witness::add_element(const Fr& value) { add_elements({&value, 1}); }

void Witness::add_elements(std::span<const Fr> values) {
  extend(Segment::Kind::elements, static_cast<u32>(values.size()), elements_.size());
  elements_.insert(elements_.end(), values.begin(), values.end());
}

const Segment& Witness::segment_of(u32 index) const {
  if (index >= aux_count_) throw internal_error("witness: variable {} of {}", index, aux_count_);
  const auto next = std::upper_bound(segments_.begin(), segments_.end(), index,
                                     [](u32 i, const Segment& segment) { return i < segment.first; });
  return *std::prev(next);
}

Fr Witness::aux(u32 index) const {
  const Segment& segment = segment_of(index);
  const std::size_t place = segment.start + (index - segment.first);
  if (segment.kind == Segment::Kind::elements) return elements_[place];
  return bits_[place] ? Fr::one() : Fr::zero();
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
  return Selection(witness, density).run();
}

DenseWitness select_all(const Witness& witness) {
  const std::vector<u64> every(witness.aux_count() / 64 + 1, ~u64{0});
  return select_dense(witness, {every.data(), witness.aux_count()});
}

}  // namespace cuzk::r1cs
