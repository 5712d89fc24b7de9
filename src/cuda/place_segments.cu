#include <algorithm>

#include "cuda/error.h"
#include "cuda/packed_bits.cuh"
#include "cuda/place_segments.h"

namespace cuzk::cuda {
namespace {

using r1cs::Segment;

/// The last segment that begins at or before a variable.
__device__ u32 segment_of(const Segment* segments, u32 count, u32 variable) {
  u32 low = 0;
  for (u32 high = count; high - low > 1;) {
    const u32 middle = low + (high - low) / 2;
    (segments[middle].first <= variable ? low : high) = middle;
  }
  return low;
}

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
    if (segment.kind == Segment::Kind::elements) {
      elements |= low_bits(last - first) << (first - begin);
    } else {
      set |= bits_at(bits, segment.start + (first - segment.first), last - first) << (first - begin);
    }
  }
  ones[word] = set;
  is_element[word] = elements;
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

}  // namespace cuzk::cuda
