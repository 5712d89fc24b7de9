#include <benchmark/benchmark.h>

#include <thread>
#include <vector>

#include "curve/normalize.h"
#include "msm/conditional_sum.h"
#include "msm/fixed_base.h"
#include "msm/msm.h"

namespace cuzk {
namespace {

std::vector<Fr> chain(std::size_t count) {
  std::vector<Fr> scalars(count);
  Fr x = Fr::from_u64(7).inverse();
  for (Fr& scalar : scalars) scalar = x = x.squared() + Fr::one();
  return scalars;
}

/// Distinct points: p + i d.
template <class Affine>
std::vector<Affine> points_of(std::size_t count) {
  using Curve = typename Affine::Curve;
  const Affine step = (Affine::generator() * chain(1)[0]).to_affine();
  std::vector<Point<Curve>> points;
  points.reserve(count);
  for (Point<Curve> p = Affine::generator(); points.size() < count; p += step) points.push_back(p);
  return normalize(points);
}

std::size_t size_of(const benchmark::State& state) { return std::size_t{1} << state.range(0); }

template <class Affine>
void multi_scalar_mul(benchmark::State& state) {
  const auto points = points_of<Affine>(size_of(state));
  const auto scalars = chain(points.size());
  ThreadPool pool(static_cast<unsigned>(state.range(1)));
  for (auto _ : state) {
    benchmark::DoNotOptimize(
        msm::multi_scalar_mul(std::span<const Affine>(points), std::span<const Fr>(scalars), pool));
  }
}

template <class Affine>
void conditional_sum(benchmark::State& state) {
  const auto points = points_of<Affine>(size_of(state));
  const auto scalars = chain(points.size());
  BitVector bits;
  for (const Fr& scalar : scalars) bits.push_back(scalar.montgomery_form()[0] % 2 != 0);
  ThreadPool pool(static_cast<unsigned>(state.range(1)));
  for (auto _ : state) {
    benchmark::DoNotOptimize(msm::conditional_sum(std::span<const Affine>(points), bits, pool));
  }
}

template <class Affine>
void fixed_base(benchmark::State& state) {
  const msm::FixedBase<typename Affine::Curve> table(Point<typename Affine::Curve>::generator());
  const auto scalars = chain(size_of(state));
  ThreadPool pool(static_cast<unsigned>(state.range(1)));
  for (auto _ : state) benchmark::DoNotOptimize(table.multiply(scalars, pool));
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
