// Throughput of multiplications on the device, beside the card's limit (docs: 8.1 T/s wide multiply-adds on an H200).
#include "cuda/error.h"
#include "cuda/wide_access.cuh"
#include "field/fp2.h"
#include "field/fr.h"
#include "gpu_timer.h"

namespace cuzk::bench {
namespace {

constexpr unsigned kThreads = 256, kRounds = 256;

template <class Field>
__global__ void multiply_chains(const Field* values, Field* results) {
  const std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x;
  const Field factor = values[i];
  Field product = factor;
  for (unsigned round = 0; round < kRounds; ++round) product *= factor;
  results[i] = product;
}

template <class Field>
void multiply(benchmark::State& state) {
  test::GpuQueue gpu(std::size_t{1} << 28);
  const cuda::Queue& queue = gpu.queue();
  const unsigned blocks = queue.device.multiprocessors * 32;
  const std::size_t threads = std::size_t{blocks} * kThreads;
  const auto values = gpu.upload(std::vector<Field>(threads, Field::from_u64(3)));
  cuda::DeviceBuffer<Field> results(queue.memory, threads);
  time_on_device(state, queue, static_cast<double>(threads) * kRounds, [&] {
    multiply_chains<<<blocks, kThreads, 0, queue.stream.handle()>>>(values.data(), results.data());
    cuda::check_launch("multiply_chains");
  });
}

BENCHMARK(multiply<Fr>)->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK(multiply<Fp>)->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK(multiply<Fp2>)->UseManualTime()->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace cuzk::bench
