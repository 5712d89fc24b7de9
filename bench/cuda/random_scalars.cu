#include "cuda/error.h"
#include "random_scalars.h"

namespace cuzk::bench {
namespace {

/// Source: Steele, Lea, Flood, "Fast splittable pseudorandom number generators" (OOPSLA 2014), with the constants of
/// SplitMix64.
__device__ u64 mixed(u64 number) {
  u64 x = (number + 1) * 0x9e3779b97f4a7c15;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
  x = (x ^ x >> 27) * 0x94d049bb133111eb;
  return x ^ x >> 31;
}

__global__ void fill(Fr::Integer* scalars, std::size_t count) {
  const std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x;
  if (i >= count) return;
  for (unsigned k = 0; k < 4; ++k) scalars[i][k] = mixed(4 * i + k) >> (k == 3 ? 2 : 0);
}

}  // namespace

cuda::DeviceBuffer<Fr::Integer> random_scalars(const cuda::Queue& queue, std::size_t count) {
  constexpr unsigned kThreads = 256;
  cuda::DeviceBuffer<Fr::Integer> scalars(queue.memory, count);
  fill<<<cuda::blocks_for(count, kThreads), kThreads, 0, queue.stream.handle()>>>(scalars.data(), count);
  cuda::check_launch("fill");
  return scalars;
}

}  // namespace cuzk::bench
