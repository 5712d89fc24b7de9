#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <cub/device/device_scan.cuh>

#include "cuda/bit_ranks.h"
#include "cuda/cub_scratch.cuh"

namespace cuzk::cuda {
namespace {

/// How many bits are set in a word, or in both words; none in the one behind the last.
struct BitsOf {
  const u64* words;
  const u64* others;
  u32 count;
  __device__ u32 operator()(u32 word) const {
    if (word >= count) return 0;
    return static_cast<u32>(__popcll(others == nullptr ? words[word] : words[word] & others[word]));
  }
};

DeviceBuffer<u32> scan(const Queue& queue, const BitsOf& bits_of) {
  DeviceBuffer<u32> before(queue.memory, bits_of.count + std::size_t{1});
  const auto bits = thrust::make_transform_iterator(thrust::make_counting_iterator(u32{0}), bits_of);
  run_with_scratch(queue, "DeviceScan", [&](void* memory, std::size_t& bytes, cudaStream_t stream) {
    return cub::DeviceScan::ExclusiveSum(memory, bytes, bits, before.data(), before.size(), stream);
  });
  return before;
}

}  // namespace

DeviceBuffer<u32> bits_before(const Queue& queue, std::span<const u64> words) {
  return scan(queue, {words.data(), nullptr, static_cast<u32>(words.size())});
}

DeviceBuffer<u32> common_bits_before(const Queue& queue, std::span<const u64> words, std::span<const u64> others) {
  return scan(queue, {words.data(), others.data(), static_cast<u32>(words.size())});
}

u32 total_of(const Queue& queue, const DeviceBuffer<u32>& before) {
  u32 total = 0;
  queue.stream.read(std::as_writable_bytes(std::span(&total, 1)), std::as_bytes(before.span().last(1)));
  return total;
}

}  // namespace cuzk::cuda
