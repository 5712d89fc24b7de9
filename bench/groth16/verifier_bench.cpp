#include <benchmark/benchmark.h>

#include "groth16/verifier.h"

namespace cuzk::groth16 {
namespace {

/// A key and a proof whose numbers satisfy the equation, made from known logarithms: alpha beta = 2 * 3, input point
/// and gamma 1, C and delta 1, so that a b must be 6 + 1 + c.
VerifyingKey simple_key(std::size_t inputs) {
  const auto g1 = [](u64 scalar) { return (G1::generator() * Fr::from_u64(scalar)).to_affine(); };
  const auto g2 = [](u64 scalar) { return (G2::generator() * Fr::from_u64(scalar)).to_affine(); };
  return {.alpha_g1 = g1(2),
          .beta_g1 = g1(3),
          .beta_g2 = g2(3),
          .gamma_g2 = g2(1),
          .delta_g1 = g1(1),
          .delta_g2 = g2(1),
          .ic = std::vector<G1Affine>(inputs + 1, g1(1))};
}

/// All inputs are 0.
Proof simple_proof() {
  return {.a = (G1::generator() * Fr::from_u64(4)).to_affine(),
          .b = (G2::generator() * Fr::from_u64(5)).to_affine(),
          .c = (G1::generator() * Fr::from_u64(13)).to_affine()};
}

void verify_one(benchmark::State& state) {
  const auto inputs = static_cast<std::size_t>(state.range(0));
  const Verifier verifier(simple_key(inputs));
  const std::vector<Fr> values(inputs, Fr::zero());
  for (auto _ : state) {
    if (!verifier.verify(simple_proof(), values)) state.SkipWithError("the proof does not verify");
  }
}
BENCHMARK(verify_one)->Arg(1)->Arg(39)->Arg(327)->Unit(benchmark::kMillisecond);

void verify_batch(benchmark::State& state) {
  const Verifier verifier(simple_key(39));
  const std::vector<Claim> claims(static_cast<std::size_t>(state.range(0)),
                                  {simple_proof(), std::vector<Fr>(39, Fr::zero())});
  for (auto _ : state) {
    if (!verifier.verify_batch(claims)) state.SkipWithError("the batch does not verify");
  }
}
BENCHMARK(verify_batch)
    ->Arg(1)
    ->Arg(10)
    ->Arg(100)
    ->UseRealTime()
    ->MeasureProcessCPUTime()
    ->Unit(benchmark::kMillisecond);

void read_proof(benchmark::State& state) {
  const auto bytes = simple_proof().to_bytes();
  for (auto _ : state) benchmark::DoNotOptimize(Proof::from_bytes(bytes));
}
BENCHMARK(read_proof)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace cuzk::groth16
