// Latency: one chain of dependent operations. Throughput: eight independent chains.
#include <benchmark/benchmark.h>

#include "cuzk-bench/field_inputs.h"
#include "field/square_root.h"

namespace cuzk {
namespace {

using apps::element;

struct Multiply {
  template <class F>
  static void step(F& x, const F& y) {
    x *= y;
  }
};
struct Square {
  template <class F>
  static void step(F& x, const F&) {
    x = x.squared();
  }
};
struct Add {
  template <class F>
  static void step(F& x, const F& y) {
    x += y;
  }
};
struct Subtract {
  template <class F>
  static void step(F& x, const F& y) {
    x -= y;
  }
};
struct Invert {
  template <class F>
  static void step(F& x, const F& y) {
    x = x.inverse() + y;
  }
};
struct SquareRoot {
  template <class F>
  static void step(F& x, const F& y) {
    x = square_root(x.squared()).value() + y;
  }
};

template <class F, class Operation>
void latency(benchmark::State& state) {
  F x = element<F>(3);
  const F y = element<F>(5);
  for (auto _ : state) {
    Operation::step(x, y);
    benchmark::DoNotOptimize(x);
  }
}

template <class F, class Operation>
void throughput(benchmark::State& state) {
  constexpr int kChains = 8;
  auto x = apps::elements<F, kChains>();
  const F y = element<F>(99);
  for (auto _ : state) {
    for (F& each : x) Operation::step(each, y);
    benchmark::DoNotOptimize(x);
  }
  state.SetItemsProcessed(state.iterations() * kChains);
  state.counters["each"] = benchmark::Counter(static_cast<double>(state.iterations() * kChains),
                                              benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

BENCHMARK(latency<Fr, Add>);
BENCHMARK(latency<Fr, Multiply>);
BENCHMARK(latency<Fr, Square>);
BENCHMARK(latency<Fr, Invert>);
BENCHMARK(throughput<Fr, Multiply>);
BENCHMARK(latency<Fp, Add>);
BENCHMARK(latency<Fp, Subtract>);
BENCHMARK(latency<Fp, Multiply>);
BENCHMARK(latency<Fp, Square>);
BENCHMARK(latency<Fp, Invert>);
BENCHMARK(latency<Fp, SquareRoot>);
BENCHMARK(throughput<Fp, Add>);
BENCHMARK(throughput<Fp, Subtract>);
BENCHMARK(throughput<Fp, Multiply>);
BENCHMARK(throughput<Fp, Square>);
BENCHMARK(latency<Fp2, Multiply>);
BENCHMARK(latency<Fp2, Square>);
BENCHMARK(latency<Fp2, Invert>);
BENCHMARK(latency<Fp2, SquareRoot>);

}  // namespace
}  // namespace cuzk
