#include <benchmark/benchmark.h>

#include <thread>
#include <vector>

#include "cuzk-bench/point_inputs.h"
#include "msm/conditional_sum.h"
#include "msm/fixed_base.h"
#include "msm/msm.h"

namespace cuzk {
namespace {

using apps::points_of, apps::scalars;

std::size_t size_of(const benchmark::State& state) { return std::size_t{1} << state.range(0); }

template <class Affine>
void multi_scalar_mul(benchmark::State& state) {
  const auto points = points_of<Affine>(size_of(state));
  const auto factors = scalars(points.size());
  ThreadPool pool(static_cast<unsigned>(state.range(1)));
  for (auto _ : state) {
    benchmark::DoNotOptimize(
        msm::multi_scalar_mul(std::span<const Affine>(points), std::span<const Fr>(factors), pool));
  }
}

template <class Affine>
void conditional_sum(benchmark::State& state) {
  const auto points = points_of<Affine>(size_of(state));
  const auto factors = scalars(points.size());
  BitVector bits;
  for (const Fr& factor : factors) bits.push_back(factor.montgomery_form()[0] % 2 != 0);
  ThreadPool pool(static_cast<unsigned>(state.range(1)));
  for (auto _ : state) {
    benchmark::DoNotOptimize(msm::conditional_sum(std::span<const Affine>(points), bits, pool));
  }
}

template <class Affine>
void fixed_base(benchmark::State& state) {
  const msm::FixedBase<typename Affine::Curve> table(Point<typename Affine::Curve>::generator());
  const auto factors = scalars(size_of(state));
  ThreadPool pool(static_cast<unsigned>(state.range(1)));
  for (auto _ : state) benchmark::DoNotOptimize(table.multiply(factors, pool));
}

template <class Affine>
void fixed_base_table(benchmark::State& state) {
  for (auto _ : state) {
    benchmark::DoNotOptimize(msm::FixedBase<typename Affine::Curve>(Point<typename Affine::Curve>::generator()));
  }
}

/// How a product of 2^20 points is shared out: 1, 2, 4 ... threads, as many as there are.
void scaled(benchmark::internal::Benchmark* bench) {
  for (unsigned threads = 1; threads <= std::thread::hardware_concurrency(); threads *= 2) bench->Args({20, threads});
}

void measured(benchmark::internal::Benchmark* bench) {
  bench->ArgNames({"log2", "threads"})->Unit(benchmark::kMillisecond)->MeasureProcessCPUTime()->UseRealTime();
}
BENCHMARK(multi_scalar_mul<G1Affine>)->Name("msm G1")->ArgsProduct({{12, 16, 18, 20}, {2}})->Apply(measured);
BENCHMARK(multi_scalar_mul<G1Affine>)->Name("msm G1 by threads")->Apply(scaled)->Apply(measured);
BENCHMARK(multi_scalar_mul<G2Affine>)->Name("msm G2")->ArgsProduct({{12, 16}, {2}})->Apply(measured);
BENCHMARK(conditional_sum<G1Affine>)->Name("conditional sum G1")->ArgsProduct({{20}, {2}})->Apply(measured);
BENCHMARK(conditional_sum<G2Affine>)->Name("conditional sum G2")->ArgsProduct({{16}, {2}})->Apply(measured);
BENCHMARK(fixed_base<G1Affine>)->Name("fixed base G1")->ArgsProduct({{16}, {2}})->Apply(measured);
BENCHMARK(fixed_base<G2Affine>)->Name("fixed base G2")->ArgsProduct({{16}, {2}})->Apply(measured);
BENCHMARK(fixed_base_table<G1Affine>)->Name("fixed base G1, table")->Unit(benchmark::kMillisecond);
BENCHMARK(fixed_base_table<G2Affine>)->Name("fixed base G2, table")->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace cuzk
