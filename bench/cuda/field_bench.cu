// Throughput of multiplications on the device, beside the card's limit (docs: 8.1 T/s wide multiply-adds on an H200).
#include "cuda/error.h"
#include "cuda/multiply_constant.cuh"
#include "cuda/square.cuh"
#include "cuda/wide_access.cuh"
#include "field/fp2.h"
#include "field/fr.h"
#include "gpu_timer.h"

namespace cuzk::bench {
namespace {

constexpr unsigned kThreads = 256, kRounds = 256;

/// With a second way out of the loop, which is not taken: in a loop that has but one, the assembler takes wide
/// multiply-adds by the modulus of Fr apart, as it does in none of the prover's kernels.
template <class Field>
__global__ void multiply_chains(const Field* values, Field* results, unsigned never) {
  const std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x;
  const Field factor = values[i];
  Field product = factor;
  for (unsigned round = 0; round < kRounds; ++round) {
    product *= factor;
    if (round == never) break;
  }
  results[i] = product;
}

__global__ void multiply_constant_chains(const Fr* values, const cuda::ConstantFactor* factors, Fr* results) {
  const std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x;
  const cuda::ConstantFactor factor = factors[0];
  Fr product = values[i];
  for (unsigned round = 0; round < kRounds; ++round) product = cuda::multiply(product, factor);
  results[i] = product;
}

__global__ void square_chains(const Fp* values, Fp* results) {
  const std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x;
  Fp power = values[i];
  for (unsigned round = 0; round < kRounds; ++round) power = cuda::square(power);
  results[i] = power;
}

/// `launch(blocks, values, results, stream)`.
template <class Field, class Launch>
void time_chains(benchmark::State& state, test::GpuQueue& gpu, Launch&& launch) {
  const cuda::Queue& queue = gpu.queue();
  const unsigned blocks = queue.device.multiprocessors * 32;
  const std::size_t threads = std::size_t{blocks} * kThreads;
  const auto values = gpu.upload(std::vector<Field>(threads, Field::from_u64(3)));
  cuda::DeviceBuffer<Field> results(queue.memory, threads);
  time_on_device(state, queue, static_cast<double>(threads) * kRounds, [&] {
    launch(blocks, values.data(), results.data(), queue.stream.handle());
    cuda::check_launch("chains");
  });
}

template <class Field>
void multiply(benchmark::State& state) {
  test::GpuQueue gpu(std::size_t{1} << 28);
  time_chains<Field>(state, gpu, [&](unsigned blocks, const Field* values, Field* results, cudaStream_t stream) {
    multiply_chains<<<blocks, kThreads, 0, stream>>>(values, results, kRounds);
  });
}

void multiply_by_constant(benchmark::State& state) {
  test::GpuQueue gpu(std::size_t{1} << 28);
  const auto factors = gpu.upload(std::vector<cuda::ConstantFactor>{cuda::constant_factor(-Fr::from_u64(5))});
  time_chains<Fr>(state, gpu, [&](unsigned blocks, const Fr* values, Fr* results, cudaStream_t stream) {
    multiply_constant_chains<<<blocks, kThreads, 0, stream>>>(values, factors.data(), results);
  });
}

void square(benchmark::State& state) {
  test::GpuQueue gpu(std::size_t{1} << 28);
  time_chains<Fp>(state, gpu, [&](unsigned blocks, const Fp* values, Fp* results, cudaStream_t stream) {
    square_chains<<<blocks, kThreads, 0, stream>>>(values, results);
  });
}

BENCHMARK(multiply_by_constant)->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK(square)->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK(multiply<Fr>)->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK(multiply<Fp>)->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK(multiply<Fp2>)->UseManualTime()->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace cuzk::bench
