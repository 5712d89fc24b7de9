// One operation on points; sums are chains, as in a bucket.
#include <benchmark/benchmark.h>

#include "curve/encoding.h"
#include "curve/g1.h"
#include "curve/g2.h"
#include "curve/subgroup.h"

namespace cuzk {
namespace {

template <class Group>
void add_mixed(benchmark::State& state) {
  Group sum = Group::generator().doubled();
  const auto p = Group::generator().doubled().doubled().to_affine();
  for (auto _ : state) benchmark::DoNotOptimize(sum += p);
}
template <class Group>
void add(benchmark::State& state) {
  Group sum = Group::generator().doubled();
  const Group p = sum.doubled();
  for (auto _ : state) benchmark::DoNotOptimize(sum += p);
}
template <class Group>
void doubling(benchmark::State& state) {
  Group p = Group::generator();
  for (auto _ : state) benchmark::DoNotOptimize(p = p.doubled());
}
template <class Group>
void multiply(benchmark::State& state) {
  const Fr scalar = Fr::from_u64(3).inverse();
  Group p = Group::generator();
  for (auto _ : state) benchmark::DoNotOptimize(p = p * scalar);
}
template <class Affine>
void decode_compressed(benchmark::State& state) {
  const auto bytes = to_compressed(Affine::generator());
  for (auto _ : state) benchmark::DoNotOptimize(from_compressed<Affine>(bytes));
}
template <class Affine>
void decode_uncompressed(benchmark::State& state) {
  const auto bytes = to_uncompressed(Affine::generator());
  for (auto _ : state) benchmark::DoNotOptimize(from_uncompressed<Affine>(bytes));
}
template <class Affine>
void decode_uncompressed_unchecked(benchmark::State& state) {
  const auto bytes = to_uncompressed(Affine::generator());
  for (auto _ : state) benchmark::DoNotOptimize(from_uncompressed_unchecked<Affine>(bytes));
}

BENCHMARK(add_mixed<G1>);
BENCHMARK(add<G1>);
BENCHMARK(doubling<G1>);
BENCHMARK(multiply<G1>)->Unit(benchmark::kMicrosecond);
BENCHMARK(add_mixed<G2>);
BENCHMARK(add<G2>);
BENCHMARK(doubling<G2>);
BENCHMARK(multiply<G2>)->Unit(benchmark::kMicrosecond);
BENCHMARK(decode_compressed<G1Affine>)->Unit(benchmark::kMicrosecond);
BENCHMARK(decode_compressed<G2Affine>)->Unit(benchmark::kMicrosecond);
BENCHMARK(decode_uncompressed<G1Affine>)->Unit(benchmark::kMicrosecond);
BENCHMARK(decode_uncompressed<G2Affine>)->Unit(benchmark::kMicrosecond);
BENCHMARK(decode_uncompressed_unchecked<G1Affine>)->Unit(benchmark::kMicrosecond);
BENCHMARK(decode_uncompressed_unchecked<G2Affine>)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace cuzk
