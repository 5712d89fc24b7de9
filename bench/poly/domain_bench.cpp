#include <benchmark/benchmark.h>

#include "poly/domain.h"
#include "poly/quotient.h"

namespace cuzk {
namespace {

Buffer<Fr> chain(std::size_t count, u64 seed) {
  Buffer<Fr> values(count);
  Fr x = Fr::from_u64(seed);
  for (Fr& value : values) value = x = x.squared() + Fr::from_u64(seed);
  return values;
}

/// Arguments: log2 of the size, kernels, threads.
void transform(benchmark::State& state) {
  const auto kernels = static_cast<Kernels>(state.range(1));
  if (!is_supported(kernels)) return state.SkipWithError("not supported here");
  const Domain domain(static_cast<unsigned>(state.range(0)), kernels);
  ThreadPool pool(static_cast<unsigned>(state.range(2)));
  Buffer<Fr> values = chain(domain.size(), 5);
  for (auto _ : state) domain.forward(values.span(), pool);
}
BENCHMARK(transform)
    ->ArgNames({"log2", "ifma", "threads"})
    ->ArgsProduct({{16, 18, 20, 22}, {0, 1}, {1, 2}})
    ->Unit(benchmark::kMillisecond)
    ->MeasureProcessCPUTime()
    ->UseRealTime();

template <auto kForm>
void quotient_of(benchmark::State& state) {
  const Domain domain(static_cast<unsigned>(state.range(0)));
  ThreadPool pool(2);
  for (auto _ : state) {
    state.PauseTiming();
    Buffer<Fr> a = chain(domain.size(), 3), b = chain(domain.size(), 5), c = chain(domain.size(), 7);
    state.ResumeTiming();
    benchmark::DoNotOptimize(kForm(domain, std::move(a), std::move(b), std::move(c), pool));
  }
}
BENCHMARK(quotient_of<&quotient>)
    ->Name("quotient, 6 transforms")
    ->Arg(20)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK(quotient_of<&quotient_on_coset>)
    ->Name("quotient, 7 transforms")
    ->Arg(20)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

}  // namespace
}  // namespace cuzk
