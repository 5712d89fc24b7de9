#include "cuda/ntt.h"
#include "gpu_timer.h"

namespace cuzk::bench {
namespace {

void transform(benchmark::State& state, void (cuda::NttDomain::*direction)(cuda::DeviceBuffer<Fr>&)) {
  const auto k = static_cast<unsigned>(state.range(0));
  test::GpuQueue gpu((std::size_t{72} << k) + (std::size_t{64} << 20));
  cuda::NttDomain domain(gpu.queue(), k);
  cuda::DeviceBuffer<Fr> values(gpu.queue().memory, domain.size());
  values.fill_zero(gpu.queue().stream);
  time_on_device(state, gpu.queue(), static_cast<double>(domain.size()), [&] { (domain.*direction)(values); });
}

BENCHMARK_CAPTURE(transform, forward, &cuda::NttDomain::forward)
    ->DenseRange(20, 27)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(transform, coset_inverse, &cuda::NttDomain::coset_inverse)
    ->Arg(27)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace cuzk::bench
