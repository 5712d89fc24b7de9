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
#include "cuda/device_buffer.h"
#include "cuda/sum_lists.h"

namespace cuzk::cuda {
namespace {

constexpr unsigned kThreads = 256;

struct ItemsOf {
  const RoundStart* starts;
  __device__ u32 operator()(u32 bucket) const { return items_of(starts[bucket + 1]) - items_of(starts[bucket]); }
};

/// How many sums a bucket's items make, and how many items those and an odd one; none for the entry behind the last bucket.
struct HalvesOf {
  const RoundStart* starts;
  u32 buckets;
  __device__ RoundStart operator()(u32 bucket) const {
    if (bucket >= buckets) return 0;
    const u32 items = items_of(starts[bucket + 1]) - items_of(starts[bucket]);
    return round_start(items / 2, items / 2 + items % 2);
  }
};

template <class Function>
auto over_buckets(const Function& function) {
  return thrust::make_transform_iterator(thrust::make_counting_iterator(u32{0}), function);
}

/// A bucket's items halve in each round, and there are fewer than 2^30 of them.
constexpr std::size_t kMostRounds = 30;

}  // namespace

struct SumLists::Room {
  Room(MemoryResource& memory, std::size_t items, u32 buckets)
      : keys(memory, items),
        entries(memory, items),
        other_keys(memory, items),
        other_entries(memory, items),
        starts(memory, buckets + std::size_t{1}),
        other_starts(memory, buckets + std::size_t{1}),
        largest(memory, 1),
        places(memory, kMostRounds + 1),
        pairs(memory, items),
        by_key(keys.data(), other_keys.data()),
        by_entry(entries.data(), other_entries.data()),
        by_bucket(starts.data(), other_starts.data()),
        scratch(memory, scratch_bytes()) {}

  void sort(const Stream& stream) {
    std::size_t bytes = scratch.size();
    check(sort_pairs(scratch.data(), bytes, stream.handle()), "DeviceRadixSort");
  }
  void find_largest(const Stream& stream) {
    std::size_t bytes = scratch.size();
    check(largest_bucket(scratch.data(), bytes, stream.handle()), "DeviceReduce");
  }
  void halve(const Stream& stream) {
    std::size_t bytes = scratch.size();
    check(halved_starts(scratch.data(), bytes, stream.handle()), "DeviceScan");
  }

  // As CUB wants it: without memory they tell how much they need.
  cudaError_t sort_pairs(void* memory, std::size_t& bytes, cudaStream_t stream) {
    const int bits = static_cast<int>(std::bit_width(starts.size() - 1));
    return cub::DeviceRadixSort::SortPairs(memory, bytes, by_key, by_entry, keys.size(), 0, bits, stream);
  }
  cudaError_t largest_bucket(void* memory, std::size_t& bytes, cudaStream_t stream) {
    const auto items = over_buckets(ItemsOf{by_bucket.Current()});
    return cub::DeviceReduce::Max(memory, bytes, items, largest.data(), starts.size() - 1, stream);
  }
  cudaError_t halved_starts(void* memory, std::size_t& bytes, cudaStream_t stream) {
    const auto halves = over_buckets(HalvesOf{by_bucket.Current(), static_cast<u32>(starts.size() - 1)});
    return cub::DeviceScan::ExclusiveSum(memory, bytes, halves, by_bucket.Alternate(), starts.size(), stream);
  }
  std::size_t scratch_bytes() {
    std::size_t sorting = 0, finding = 0, halving = 0;
    check(sort_pairs(nullptr, sorting, nullptr), "DeviceRadixSort");
    check(largest_bucket(nullptr, finding, nullptr), "DeviceReduce");
    check(halved_starts(nullptr, halving, nullptr), "DeviceScan");
    return std::max({sorting, finding, halving});
  }

  DeviceBuffer<u32> keys, entries, other_keys, other_entries;
  DeviceBuffer<RoundStart> starts, other_starts;
  DeviceBuffer<u32> largest;
  DeviceBuffer<RoundPlaces> places;
  DeviceBuffer<Operands> pairs;
  cub::DoubleBuffer<u32> by_key, by_entry;
  cub::DoubleBuffer<RoundStart> by_bucket;
  DeviceBuffer<std::byte> scratch;
};

SumLists::SumLists(const Queue& queue, const Stream& stream, const DeviceScalars& scalars, std::span<const u32> indices,
                   std::size_t points, const Windows& windows)
    : stream_(stream),
      buckets_(windows.buckets()),
      room_(std::make_unique<Room>(queue.memory, scalars.size() * windows.digits(), buckets_)) {
  Event before;
  before.record(queue.stream);
  stream_.wait(before);
  make_digits_of(scalars, indices, points, windows);
  room_->sort(stream_);
  find_starts();
  room_->places.fill_zero(stream_);
}

SumLists::~SumLists() { check_or_log(cudaStreamSynchronize(stream_.handle()), "cudaStreamSynchronize"); }

void SumLists::make_digits_of(const DeviceScalars& scalars, std::span<const u32> indices, std::size_t points,
                              const Windows& windows) {
  make_digits<<<blocks_for(scalars.size(), kThreads), kThreads, 0, stream_.handle()>>>(
      scalars, indices.empty() ? nullptr : indices.data(), static_cast<u32>(points), windows, scalar_shift(windows),
      room_->keys.data(), room_->entries.data());
  check_launch("make_digits");
}

void SumLists::find_starts() {
  const auto items = static_cast<u32>(room_->keys.size());
  mark_starts<<<blocks_for(items + std::size_t{1}, kThreads), kThreads, 0, stream_.handle()>>>(
      room_->by_key.Current(), items, buckets_, room_->by_bucket.Current());
  check_launch("mark_starts");
  room_->find_largest(stream_);
}

void SumLists::list_rounds() {
  std::size_t most_items = items();
  for (u32 left = room_->largest.to_host(stream_).front(); left > 1; left = left / 2 + left % 2) {
    list_round(most_items);
    rounds_.push_back({Event{}, most_items / 2});
    rounds_.back().listed.record(stream_);
    most_items = std::min(most_items, (most_items + buckets_) / 2 + 1);
  }
}

void SumLists::list_round(std::size_t items) {
  Room& room = *room_;
  room.halve(stream_);
  const BucketRound round{room.by_key.Current(),
                          room.by_entry.Current(),
                          room.by_bucket.Current(),
                          room.by_bucket.Alternate(),
                          buckets_,
                          room.places.data() + rounds_.size()};
  list_sums<<<blocks_for(items, kThreads), kThreads, 0, stream_.handle()>>>(
      round, room.pairs.data(), room.by_key.Alternate(), room.by_entry.Alternate());
  check_launch("list_sums");
  room.by_key.selector ^= 1;
  room.by_entry.selector ^= 1;
  room.by_bucket.selector ^= 1;
}

std::size_t SumLists::items() const { return room_->keys.size(); }
const RoundPlaces* SumLists::places(std::size_t round) const { return room_->places.data() + round; }
const Operands* SumLists::pairs() const { return room_->pairs.data(); }
const u32* SumLists::last_items() const { return room_->by_entry.Current(); }
const u64* SumLists::last_starts() const { return room_->by_bucket.Current(); }

}  // namespace cuzk::cuda
