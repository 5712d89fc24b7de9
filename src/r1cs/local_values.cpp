#include "r1cs/local_values.h"

#include <algorithm>
#include <array>
#include <bit>

namespace cuzk::r1cs {
namespace {

/// Bit i of the index in byte i, as they lie in memory.
constexpr std::array<u64, 256> kBytesOfBits = [] {
  std::array<u64, 256> table{};
  for (u64 bits = 0; bits < 256; ++bits) {
    for (unsigned i = 0; i < 8; ++i) {
      const unsigned place = std::endian::native == std::endian::little ? i : 7 - i;
      table[bits] |= ((bits >> i) & 1) << (8 * place);
    }
  }
  return table;
}();

}  // namespace

void LocalValues::PackedBits::put(std::size_t place, u64 bits, unsigned count) {
  words[place / 64] |= bits << (place % 64);
  if (place % 64 + count > 64) words[place / 64 + 1] |= bits >> (64 - place % 64);
}

void LocalValues::load(const Circuit& circuit, const Instance& instance) {
  const Template& form = circuit.templates()[instance.template_index];
  const std::size_t words = form.locals() / 64 + 1;
  bits_.words.assign(words, 0);
  is_element_.words.assign(words, 0);
  if (values_.size() < form.locals()) values_ = Buffer<Fr>(form.locals());
  any_element_ = false;
  size_ = 0;

  bits_.put(size_++, 1, 1);  // ONE
  for (const VariableRun& run : circuit.runs(instance)) {
    if (run.first.is_input()) {
      for (u32 i = 0; i < run.count; ++i) add_element(witness_.inputs()[run.first.index() + i]);
    } else {
      add_aux(run.first.index(), run.count);
    }
  }
  add_aux(instance.first_aux, form.own);
}

void LocalValues::add_element(const Fr& value) {
  any_element_ = true;
  is_element_.put(size_, 1, 1);
  values_[size_++] = value;
}

void LocalValues::add_aux(u32 first, u32 count) {
  if (count == 0) return;
  for (const Segment* segment = &witness_.segment_of(first); count > 0; ++segment) {
    const u32 skip = first - segment->first;
    const u32 taken = std::min(count, segment->count - skip);
    add_segment(*segment, segment->start + skip, taken);
    first += taken;
    count -= taken;
  }
}

void LocalValues::add_segment(const Segment& segment, std::size_t start, u32 count) {
  if (segment.kind == Segment::Kind::elements) {
    for (u32 i = 0; i < count; ++i) add_element(witness_.elements()[start + i]);
    return;
  }
  for (u32 i = 0; i < count; i += 64) {
    const unsigned taken = std::min(64u, count - i);
    bits_.put(size_, BitSpan(witness_.bits()).chunk(start + i, taken), taken);
    size_ += taken;
  }
}

Fr LocalValues::value(u32 local) const {
  if (elements()[local]) return values_[local];
  return bits()[local] ? Fr::one() : Fr::zero();
}

std::span<const u8> LocalValues::bytes() {
  bytes_.resize(std::max(bytes_.size(), 8 * bits_.words.size()));
  for (std::size_t i = 0; i < bits_.words.size(); ++i) {
    for (unsigned k = 0; k < 8; ++k) bytes_[8 * i + k] = kBytesOfBits[(bits_.words[i] >> (8 * k)) & 0xff];
  }
  return {reinterpret_cast<const u8*>(bytes_.data()), size_};
}

}  // namespace cuzk::r1cs
