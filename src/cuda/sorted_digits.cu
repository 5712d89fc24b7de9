#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <bit>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>
#include <utility>

#include "cuda/buckets.cuh"
#include "cuda/cub_scratch.cuh"
#include "cuda/sorted_digits.h"

namespace cuzk::cuda {
namespace {

constexpr unsigned kThreads = 256;

struct ItemsOf {
  const u32* starts;
  __device__ u32 operator()(u32 bucket) const { return starts[bucket + 1] - starts[bucket]; }
};

/// How many pairs a bucket's items make, an odd one counted or not; none for the entry behind the last bucket.
struct PairsOf {
  const u32* starts;
  u32 buckets;
  u32 rounded_up;  ///< 1: the odd one counts
  __device__ u32 operator()(u32 bucket) const {
    return bucket < buckets ? (starts[bucket + 1] - starts[bucket] + rounded_up) / 2 : 0;
  }
};

template <class Function>
auto over_buckets(const Function& function) {
  return thrust::make_transform_iterator(thrust::make_counting_iterator(u32{0}), function);
}

struct Unsorted {
  DeviceBuffer<u32> keys, entries;
};

Unsorted digits_of(const Queue& queue, const DeviceScalars& scalars, std::span<const u32> indices,
                   const Windows& windows) {
  const std::size_t items = scalars.size() * windows.count;
  Unsorted digits{DeviceBuffer<u32>(queue.memory, items), DeviceBuffer<u32>(queue.memory, items)};
  make_digits<<<blocks_for(scalars.size(), kThreads), kThreads, 0, queue.stream.handle()>>>(
      scalars, indices.empty() ? nullptr : indices.data(), windows, scalar_shift(windows.bits), digits.keys.data(),
      digits.entries.data());
  check_launch("make_digits");
  return digits;
}

Unsorted sort(const Queue& queue, Unsorted digits, u32 buckets) {
  const std::size_t items = digits.keys.size();
  Unsorted other{DeviceBuffer<u32>(queue.memory, items), DeviceBuffer<u32>(queue.memory, items)};
  cub::DoubleBuffer<u32> keys(digits.keys.data(), other.keys.data());
  cub::DoubleBuffer<u32> entries(digits.entries.data(), other.entries.data());
  run_with_scratch(queue, "DeviceRadixSort", [&](void* memory, std::size_t& bytes, cudaStream_t stream) {
    return cub::DeviceRadixSort::SortPairs(memory, bytes, keys, entries, items, 0,
                                           static_cast<int>(std::bit_width(buckets)), stream);
  });
  if (keys.Current() != digits.keys.data()) std::swap(digits.keys, other.keys);
  if (entries.Current() != digits.entries.data()) std::swap(digits.entries, other.entries);
  return digits;
}

u32 largest_of(const Queue& queue, const DeviceBuffer<u32>& starts) {
  DeviceBuffer<u32> largest(queue.memory, 1);
  const auto items = over_buckets(ItemsOf{starts.data()});
  run_with_scratch(queue, "DeviceReduce", [&](void* memory, std::size_t& bytes, cudaStream_t stream) {
    return cub::DeviceReduce::Max(memory, bytes, items, largest.data(), starts.size() - 1, stream);
  });
  return largest.to_host(queue.stream).front();
}

}  // namespace

SortedDigits sort_digits(const Queue& queue, const DeviceScalars& scalars, std::span<const u32> indices,
                         const Windows& windows) {
  const u32 buckets = windows.buckets();
  Unsorted digits = sort(queue, digits_of(queue, scalars, indices, windows), buckets);
  DeviceBuffer<u32> starts(queue.memory, buckets + std::size_t{1});
  const auto items = static_cast<u32>(digits.keys.size());
  mark_starts<<<blocks_for(items + std::size_t{1}, kThreads), kThreads, 0, queue.stream.handle()>>>(
      digits.keys.data(), items, buckets, starts.data());
  check_launch("mark_starts");
  const u32 largest = largest_of(queue, starts);
  return {std::move(digits.keys), std::move(digits.entries), std::move(starts), buckets, largest};
}

RoundStarts round_starts(const Queue& queue, const DeviceBuffer<u32>& starts) {
  const auto scan = [&](u32 rounded_up) {
    DeviceBuffer<u32> before(queue.memory, starts.size());
    const auto pairs = over_buckets(PairsOf{starts.data(), static_cast<u32>(starts.size() - 1), rounded_up});
    run_with_scratch(queue, "DeviceScan", [&](void* memory, std::size_t& bytes, cudaStream_t stream) {
      return cub::DeviceScan::ExclusiveSum(memory, bytes, pairs, before.data(), starts.size(), stream);
    });
    return before;
  };
  return {scan(0), scan(1)};
}

}  // namespace cuzk::cuda
