#include "cuda/bit_ranks.h"
#include "cuda/conditional_sum.h"
#include "cuda/conditional_sum_dispatch.h"
#include "cuda/error.h"
#include "cuda/flip.h"
#include "cuda/pair_adder.cuh"
#include "cuda/pair_lists.cuh"
#include "cuda/projective_sums.h"
#include "cuda/tuning.h"
#include "curve/point.h"

namespace cuzk::cuda {
namespace {

constexpr unsigned kThreads = 256;

__global__ void list_set(const u64* words, u32 count, const u32* starts, u32* indices) {
  const u32 word = blockIdx.x * blockDim.x + threadIdx.x;
  if (word >= count) return;
  u32 next = starts[word];
  for (u64 left = words[word]; left != 0; left &= left - 1)
    indices[next++] = 64 * word + static_cast<u32>(__ffsll(static_cast<long long>(left)) - 1);
}

/// The places of the bits that are set, ascending. Waits for the device.
DeviceBuffer<u32> set_bits(const Queue& queue, std::span<const u64> words) {
  const u32 count = static_cast<u32>(words.size());
  const DeviceBuffer<u32> starts = bits_before(queue, words);
  DeviceBuffer<u32> indices(queue.memory, total_of(queue, starts));
  if (indices.empty()) return indices;
  list_set<<<blocks_for(count, kThreads), kThreads, 0, queue.stream.handle()>>>(words.data(), count, starts.data(),
                                                                                indices.data());
  check_launch("list_set");
  return indices;
}

}  // namespace

template <class Curve>
Point<Curve> listed_sum(const Queue& queue, std::span<const AffinePoint<Curve>> points, std::span<const u32> indices) {
  if (indices.empty()) return Point<Curve>::infinity();
  const ListedPairs listed{indices.data(), static_cast<u32>(indices.size())};
  PairAdder<Curve> adder(queue, listed.size());
  DeviceBuffer<AffinePoint<Curve>> sums(queue.memory, listed.size());
  adder.add(points.data(), listed, listed.size(), sums.data());
  may_flip("cuda.flip.bit_sums", queue, sums.span());
  while (sums.size() > tuning_for(queue.device).few_points) {
    const NeighbourPairs pairs{static_cast<u32>(sums.size())};
    DeviceBuffer<AffinePoint<Curve>> halved(queue.memory, pairs.size());
    adder.add(sums.data(), pairs, pairs.size(), halved.data());
    sums = std::move(halved);
  }
  return sum_few<Curve>(queue, sums.span());
}

template <class Curve>
Point<Curve> sum_set(const Queue& queue, std::span<const AffinePoint<Curve>> points, std::span<const u64> words) {
  if (points.empty()) return Point<Curve>::infinity();
  const DeviceBuffer<u32> indices = set_bits(queue, words);
  return listed_sum(queue, points, indices.span());
}

template G1 listed_sum(const Queue&, std::span<const G1Affine>, std::span<const u32>);
template G2 listed_sum(const Queue&, std::span<const G2Affine>, std::span<const u32>);
template G1 sum_set(const Queue&, std::span<const G1Affine>, std::span<const u64>);
template G2 sum_set(const Queue&, std::span<const G2Affine>, std::span<const u64>);

}  // namespace cuzk::cuda
