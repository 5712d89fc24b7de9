#include <algorithm>

#include "cuda/error.h"
#include "cuda/place_segments.h"
#include "cuda/segments.cuh"
#include "cuda/wide_access.cuh"

namespace cuzk::cuda {
namespace {

using r1cs::Segment;

/// Each thread fills one word of both.
__global__ void place(const Segment* segments, u32 count, const u64* bits, u64* ones, u64* is_element, u32 words) {
  const u32 word = blockIdx.x * blockDim.x + threadIdx.x;
  if (word >= words) return;
  const u32 begin = 64 * word, end = begin + 64;
  u64 set = 0, elements = 0;
  for (u32 i = segment_of(segments, count, begin); i < count && segments[i].first < end; ++i) {
    const Segment segment = segments[i];
    const u32 first = max(begin, segment.first), last = min(end, segment.first + segment.count);
    if (first >= last) continue;
    if (segment.kind != Segment::Kind::bits) {
      elements |= low_bits(last - first) << (first - begin);
    } else {
      set |= bits_at(bits, segment.start + (first - segment.first), last - first) << (first - begin);
    }
  }
  ones[word] = set;
  is_element[word] = elements;
}

/// Each thread copies what is given of one word's variables.
__global__ void place_given(const Segment* segments, u32 count, const Fr* given, const WitnessView view, u32 words,
                            Fr* elements) {
  const u32 word = blockIdx.x * blockDim.x + threadIdx.x;
  if (word >= words || view.is_element[word] == 0) return;
  const u32 begin = 64 * word, end = begin + 64;
  for (u32 i = segment_of(segments, count, begin); i < count && segments[i].first < end; ++i) {
    const Segment segment = segments[i];
    if (segment.kind != Segment::Kind::elements) continue;
    const u32 first = max(begin, segment.first), last = min(end, segment.first + segment.count);
    if (first >= last) continue;
    const Fr* const from = given + segment.start + (first - segment.first);
    Fr* const to = elements + place_of(view, first);
    for (u32 k = 0; k < last - first; ++k) store(to + k, load(from + k));
  }
}

}  // namespace

void place_segments(const Queue& queue, std::span<const Segment> segments, std::span<const u64> bits,
                    std::span<u64> ones, std::span<u64> is_element) {
  constexpr unsigned kThreads = 256;
  if (ones.empty()) return;
  place<<<blocks_for(ones.size(), kThreads), kThreads, 0, queue.stream.handle()>>>(
      segments.data(), static_cast<u32>(segments.size()), bits.data(), ones.data(), is_element.data(),
      static_cast<u32>(ones.size()));
  check_launch("place_segments");
}

void place_elements(const Queue& queue, std::span<const Segment> segments, std::span<const Fr> given,
                    const WitnessView& view, std::size_t words, Fr* elements) {
  constexpr unsigned kThreads = 256;
  if (given.empty()) return;
  place_given<<<blocks_for(words, kThreads), kThreads, 0, queue.stream.handle()>>>(
      segments.data(), static_cast<u32>(segments.size()), given.data(), view, static_cast<u32>(words), elements);
  check_launch("place_elements");
}

}  // namespace cuzk::cuda
