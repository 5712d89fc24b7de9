/// Segments of a witness that were computed before the circuit comes to them, because many are cheaper together than
/// one by one.
///
/// Whoever prepares knows in which order the circuit will ask; the circuit says what it asks for, so that a wrong guess
/// costs time and nothing else. One object belongs to one thread.
#pragma once

#include <algorithm>
#include <vector>

#include "base/buffer.h"
#include "field/fr.h"

namespace cuzk::r1cs {

class PreparedSegments {
 public:
  /// Forgets all segments; expects `count` of them, which are empty until they are set. Memory is kept.
  void expect(std::size_t count) {
    segments_.assign(count, {});
    next_ = 0;
    chunk_ = used_ = 0;
  }

  /// Memory for inputs or values, until the next expect().
  std::span<Fr> allocate(std::size_t count) {
    while (chunk_ < chunks_.size() && used_ + count > chunks_[chunk_].size()) {
      ++chunk_;
      used_ = 0;
    }
    if (chunk_ == chunks_.size()) chunks_.emplace_back(std::max(count, kChunk));
    const std::span<Fr> memory = chunks_[chunk_].span().subspan(used_, count);
    used_ += count;
    return memory;
  }

  /// What depends on nothing but the gadget (a number that it chooses) and its inputs. Both spans are of allocate().
  struct Segment {
    u32 gadget = 0;
    std::span<const Fr> inputs, values;
  };

  /// The place counts from the first segment after expect().
  void set(std::size_t place, const Segment& segment) { segments_[place] = segment; }

  /// The values of the next segment if it is this one, and steps over it; else none.
  std::span<const Fr> take(u32 gadget, std::span<const Fr> inputs) {
    if (next_ == segments_.size()) return {};
    const Segment& segment = segments_[next_];
    if (segment.gadget != gadget || !std::ranges::equal(segment.inputs, inputs)) return {};
    ++next_;
    return segment.values;
  }

 private:
  static constexpr std::size_t kChunk = std::size_t{1} << 16;  // elements: 2 MiB, a huge page

  std::vector<Segment> segments_;
  std::size_t next_ = 0;
  std::vector<Buffer<Fr>> chunks_;
  std::size_t chunk_ = 0, used_ = 0;
};

}  // namespace cuzk::r1cs
