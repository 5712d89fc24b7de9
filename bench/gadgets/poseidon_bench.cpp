#include <benchmark/benchmark.h>

#include "gadgets/por.h"
#include "gadgets/poseidon.h"

namespace cuzk::gadgets {
namespace {

std::vector<Fr> numbers(std::size_t count) {
  std::vector<Fr> result;
  for (std::size_t i = 0; i < count; ++i) result.push_back(Fr::from_u64(i + 2).inverse());
  return result;
}

/// The variables of one hash in a circuit, computed natively.
void poseidon_values(benchmark::State& state) {
  const std::vector<Fr> inputs = numbers(static_cast<std::size_t>(state.range(0)));
  for (auto _ : state) {
    WitnessBuilder builder;
    benchmark::DoNotOptimize(poseidon(builder, inputs));
  }
}
BENCHMARK(poseidon_values)->Arg(2)->Arg(8)->Arg(11)->Unit(benchmark::kMicrosecond);

void poseidon_template(benchmark::State& state) {
  const std::size_t arity = static_cast<std::size_t>(state.range(0));
  for (auto _ : state) {
    Compiler compiler;
    std::vector<Signal> inputs;
    for (std::size_t i = 0; i < arity; ++i) inputs.push_back(compiler.alloc_number());
    benchmark::DoNotOptimize(poseidon(compiler, inputs));
  }
}
BENCHMARK(poseidon_template)->Arg(8)->Arg(11)->Unit(benchmark::kMicrosecond);

/// Paths in the tree of a 32 GiB sector, 10 levels of 8, as many as a partition's witness has of them.
void merkle_path_values(benchmark::State& state) {
  constexpr int paths = 180;
  const auto siblings = numbers(7);
  const MerklePath path(10, MerkleStep{{siblings.begin(), siblings.end()}, 5});
  for (auto _ : state) {
    WitnessBuilder builder;
    for (int i = 0; i < paths; ++i) benchmark::DoNotOptimize(merkle_root(builder, Fr::one(), path, TreeHash::poseidon));
  }
  state.SetItemsProcessed(state.iterations() * paths);
}
BENCHMARK(merkle_path_values)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace cuzk::gadgets
