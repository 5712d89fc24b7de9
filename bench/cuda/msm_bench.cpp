#include "cuda/conditional_sum.h"
#include "cuda/msm.h"
#include "cuda/point_multiples.h"
#include "cuda/point_progression.h"
#include "gpu_timer.h"
#include "random_scalars.h"
#include "support/random.h"

namespace cuzk::bench {
namespace {

constexpr std::size_t kArena = std::size_t{100} << 30;

template <class Curve>
cuda::DeviceBuffer<AffinePoint<Curve>> points_on(test::GpuQueue& gpu, std::size_t count) {
  const auto first = AffinePoint<Curve>::generator();
  return cuda::point_progression<Curve>(gpu.queue(), first, (first * Fr::from_u64(12345)).to_affine(), count);
}

/// Arguments: log2 of the size, bits of a window (0: as tuned), windows at once.
template <class Curve>
void msm(benchmark::State& state) {
  const std::size_t size = std::size_t{1} << state.range(0);
  test::GpuQueue gpu(kArena);
  const auto points = points_on<Curve>(gpu, size);
  const auto scalars = random_scalars(gpu.queue(), size);
  cuda::MsmTuning tuning = cuda::msm_tuning(gpu.queue().device, size);
  if (state.range(1) != 0) tuning = {static_cast<unsigned>(state.range(1)), static_cast<unsigned>(state.range(2))};
  time_on_device(state, gpu.queue(), static_cast<double>(size), [&] {
    cuda::multi_scalar_mul_tuned<Curve>(gpu.queue(), points.span().first(size), scalars.span(), tuning);
  });
  state.SetLabel("c=" + std::to_string(tuning.window_bits) + " w=" + std::to_string(tuning.windows_at_once));
}

/// Arguments: log2 of the size, multiples of each point that lie beside it.
void msm_with_multiples(benchmark::State& state) {
  const std::size_t size = std::size_t{1} << state.range(0);
  test::GpuQueue gpu(kArena);
  const cuda::MsmTuning tuning = cuda::multiples_tuning(gpu.queue().device, size, static_cast<unsigned>(state.range(1)));
  auto points = points_on<G1Curve>(gpu, size);
  points = cuda::point_multiples(gpu.queue(), points.span().first(size), tuning);
  const auto scalars = random_scalars(gpu.queue(), size);
  time_on_device(state, gpu.queue(), static_cast<double>(size),
                 [&] { cuda::multi_scalar_mul_tuned<G1Curve>(gpu.queue(), points.span(), scalars.span(), tuning); });
  state.SetLabel("c=" + std::to_string(tuning.window_bits) + " w=" + std::to_string(tuning.windows_at_once));
}

void multiples(benchmark::State& state) {
  const std::size_t size = std::size_t{1} << state.range(0);
  test::GpuQueue gpu(kArena);
  const cuda::MsmTuning tuning = cuda::multiples_tuning(gpu.queue().device, size, static_cast<unsigned>(state.range(1)));
  const auto points = points_on<G1Curve>(gpu, size);
  time_on_device(state, gpu.queue(), static_cast<double>(size),
                 [&] { cuda::point_multiples(gpu.queue(), points.span().first(size), tuning); });
}

template <class Curve>
void conditional(benchmark::State& state) {
  const std::size_t size = std::size_t{1} << state.range(0);
  test::GpuQueue gpu(kArena);
  const auto points = points_on<Curve>(gpu, size);
  test::Random random(2);
  std::vector<u64> host(size / 64);
  for (u64& word : host) word = random();
  const auto words = gpu.upload(host);
  time_on_device(state, gpu.queue(), static_cast<double>(size),
                 [&] { cuda::conditional_sum<Curve>(gpu.queue(), points.span().first(size), words.span()); });
}

void sweep(benchmark::internal::Benchmark* bench) {
  for (const int log2 : {16, 18, 20, 22, 24, 26, 27}) bench->Args({log2, 0, 0});
  for (const int bits : {14, 15, 16, 17}) bench->Args({20, bits, 32});
  for (const int bits : {18, 20, 22}) bench->Args({24, bits, 8});
  for (const int bits : {20, 22, 23, 24}) bench->Args({27, bits, 1});
}

BENCHMARK(msm<G1Curve>)->Apply(sweep)->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK(msm<G2Curve>)
    ->Args({16, 0, 0})
    ->Args({20, 0, 0})
    ->Args({24, 0, 0})
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK(msm_with_multiples)
    ->Args({20, 4})
    ->Args({20, 13})
    ->Args({24, 4})
    ->Args({24, 12})
    ->Args({26, 4})
    ->Args({27, 2})
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK(multiples)->Args({24, 2})->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK(conditional<G1Curve>)->Arg(24)->Arg(27)->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK(conditional<G2Curve>)->Arg(24)->Arg(27)->UseManualTime()->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace cuzk::bench
