#include <benchmark/benchmark.h>

#include <vector>

#include "curve/pairing.h"

namespace cuzk {
namespace {

void pairing_whole(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(pairing(G1Affine::generator(), G2Affine::generator()));
}
void prepare(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(G2Prepared(G2Affine::generator()));
}
void miller(benchmark::State& state) {
  const G2Prepared prepared(G2Affine::generator());
  const std::vector<PairingTerm> terms(static_cast<std::size_t>(state.range(0)),
                                       PairingTerm{G1Affine::generator(), &prepared});
  for (auto _ : state) benchmark::DoNotOptimize(miller_loop(terms));
}
void final_power(benchmark::State& state) {
  const G2Prepared prepared(G2Affine::generator());
  const PairingTerm term{G1Affine::generator(), &prepared};
  const Fp12 f = miller_loop(std::span(&term, 1));
  for (auto _ : state) benchmark::DoNotOptimize(final_exponentiation(f));
}

BENCHMARK(pairing_whole)->Unit(benchmark::kMicrosecond);
BENCHMARK(prepare)->Unit(benchmark::kMicrosecond);
BENCHMARK(miller)->Arg(1)->Arg(3)->Unit(benchmark::kMicrosecond);
BENCHMARK(final_power)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace cuzk
