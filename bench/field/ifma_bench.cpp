// Eight elements side by side: time for each element. One chain of dependent products, and two in turn.
#include <benchmark/benchmark.h>
#include <immintrin.h>

#include <bit>

#include "field/fp.h"
#include "field/fr.h"
#include "field/kernels.h"
//
#include "field/ifma_begin.h"
//
#include "field/ifma_lanes.h"

namespace cuzk {
namespace {

template <class Field, std::size_t kChains>
void run(benchmark::State& state) {
  constexpr int kRounds = 64;
  Field elements[8];
  for (std::size_t lane = 0; lane < 8; ++lane) elements[lane] = Field::from_u64(lane + 3).inverse();
  const auto factor = IfmaLanes<Field>::load(elements, 1);
  IfmaLanes<Field> chains[kChains];
  for (auto& chain : chains) chain = factor;
  for (auto _ : state) {
    for (int round = 0; round < kRounds; ++round) {
      CUZK_UNROLL for (std::size_t i = 0; i < kChains; ++i) chains[i] = (chains[i] * factor).carried();
    }
    benchmark::DoNotOptimize(chains);
  }
  state.counters["each"] = benchmark::Counter(static_cast<double>(state.iterations()) * kRounds * kChains * 8,
                                              benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

}  // namespace
}  // namespace cuzk

#include "field/ifma_end.h"

namespace cuzk {
namespace {

template <class Field, std::size_t kChains>
void multiply_lanes(benchmark::State& state) {
  if (!is_supported(Kernels::ifma)) return state.SkipWithError("this processor has no IFMA");
  run<Field, kChains>(state);
}
BENCHMARK(multiply_lanes<Fr, 1>);
BENCHMARK(multiply_lanes<Fr, 2>);
BENCHMARK(multiply_lanes<Fp, 1>);
BENCHMARK(multiply_lanes<Fp, 2>);

}  // namespace
}  // namespace cuzk
