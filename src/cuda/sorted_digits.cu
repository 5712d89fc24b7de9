#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <algorithm>
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

}  // namespace

struct DigitSort::Room {
  Room(MemoryResource& memory, std::size_t items, u32 buckets)
      : keys(memory, items),
        entries(memory, items),
        other_keys(memory, items),
        other_entries(memory, items),
        starts(memory, buckets + std::size_t{1}),
        largest(memory, 1),
        by_key(keys.data(), other_keys.data()),
        by_entry(entries.data(), other_entries.data()),
        scratch(memory, scratch_bytes()) {}

  void sort(const Stream& stream) {
    std::size_t bytes = scratch.size();
    check(sort_pairs(scratch.data(), bytes, stream.handle()), "DeviceRadixSort");
  }
  void find_largest(const Stream& stream) {
    std::size_t bytes = scratch.size();
    check(largest_bucket(scratch.data(), bytes, stream.handle()), "DeviceReduce");
  }

  // As CUB wants it: without memory they tell how much they need.
  cudaError_t sort_pairs(void* memory, std::size_t& bytes, cudaStream_t stream) {
    const int bits = static_cast<int>(std::bit_width(starts.size() - 1));
    return cub::DeviceRadixSort::SortPairs(memory, bytes, by_key, by_entry, keys.size(), 0, bits, stream);
  }
  cudaError_t largest_bucket(void* memory, std::size_t& bytes, cudaStream_t stream) {
    const auto items = over_buckets(ItemsOf{starts.data()});
    return cub::DeviceReduce::Max(memory, bytes, items, largest.data(), starts.size() - 1, stream);
  }
  std::size_t scratch_bytes() {
    std::size_t sorting = 0, finding = 0;
    check(sort_pairs(nullptr, sorting, nullptr), "DeviceRadixSort");
    check(largest_bucket(nullptr, finding, nullptr), "DeviceReduce");
    return std::max(sorting, finding);
  }

  DeviceBuffer<u32> keys, entries, other_keys, other_entries, starts, largest;
  cub::DoubleBuffer<u32> by_key, by_entry;
  DeviceBuffer<std::byte> scratch;
};

DigitSort::DigitSort(const Queue& queue, const Stream& stream, const DeviceScalars& scalars,
                     std::span<const u32> indices, const Windows& windows)
    : queue_(queue),
      stream_(stream),
      buckets_(windows.buckets()),
      room_(std::make_unique<Room>(queue.memory, scalars.size() * windows.count, buckets_)) {
  Event before;
  before.record(queue.stream);
  stream_.wait(before);
  make_digits_of(scalars, indices, windows);
  room_->sort(stream_);
  find_starts();
  sorted_.record(stream_);
}

DigitSort::~DigitSort() { check_or_log(cudaStreamSynchronize(stream_.handle()), "cudaStreamSynchronize"); }

void DigitSort::make_digits_of(const DeviceScalars& scalars, std::span<const u32> indices, const Windows& windows) {
  make_digits<<<blocks_for(scalars.size(), kThreads), kThreads, 0, stream_.handle()>>>(
      scalars, indices.empty() ? nullptr : indices.data(), windows, scalar_shift(windows.bits), room_->keys.data(),
      room_->entries.data());
  check_launch("make_digits");
}

void DigitSort::find_starts() {
  const auto items = static_cast<u32>(room_->keys.size());
  mark_starts<<<blocks_for(items + std::size_t{1}, kThreads), kThreads, 0, stream_.handle()>>>(
      room_->by_key.Current(), items, buckets_, room_->starts.data());
  check_launch("mark_starts");
  room_->find_largest(stream_);
}

SortedDigits DigitSort::finish() {
  queue_.stream.wait(sorted_);
  const u32 largest = room_->largest.to_host(queue_.stream).front();
  if (room_->by_key.Current() != room_->keys.data()) std::swap(room_->keys, room_->other_keys);
  if (room_->by_entry.Current() != room_->entries.data()) std::swap(room_->entries, room_->other_entries);
  SortedDigits sorted{std::move(room_->keys), std::move(room_->entries), std::move(room_->starts), buckets_, largest};
  return sorted;
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
