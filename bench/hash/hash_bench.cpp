#include <benchmark/benchmark.h>

#include <vector>

#include "hash/poseidon.h"
#include "hash/poseidon_batch.h"
#include "hash/sha256.h"
#include "hash/sha256_batch.h"

namespace cuzk {
namespace {

std::vector<Fr> inputs(std::size_t count) {
  std::vector<Fr> result;
  for (std::size_t i = 0; i < count; ++i) result.push_back(Fr::from_u64(i + 2).inverse());
  return result;
}

void poseidon_hash(benchmark::State& state) {
  const std::vector<Fr> in = inputs(static_cast<std::size_t>(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(poseidon(in));
}
BENCHMARK(poseidon_hash)->Arg(2)->Arg(4)->Arg(8)->Arg(11)->Unit(benchmark::kMicrosecond);

void poseidon_plain(benchmark::State& state) {
  const std::vector<Fr> in = inputs(static_cast<std::size_t>(state.range(0)));
  const PoseidonConstants& constants = PoseidonConstants::of_arity(in.size());
  for (auto _ : state) benchmark::DoNotOptimize(poseidon_reference(constants, poseidon_merkle_tag(in.size()), in));
}
BENCHMARK(poseidon_plain)->Arg(8)->Unit(benchmark::kMicrosecond);

constexpr std::size_t kBatch = 64;

using Batch = void (*)(const PoseidonKind&, std::span<const Fr>, std::span<Fr>);

/// 64 hashes or traces; items are hashes.
void batch(benchmark::State& state, Batch run, std::size_t values_of_a_hash) {
  const PoseidonKind kind = PoseidonKind::merkle(static_cast<std::size_t>(state.range(0)));
  const std::vector<Fr> in = inputs(kBatch * kind.arity());
  std::vector<Fr> results(kBatch * values_of_a_hash);
  for (auto _ : state) run(kind, in, results);
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kBatch));
}

void poseidon_batch(benchmark::State& state) { batch(state, poseidon_hashes, 1); }
BENCHMARK(poseidon_batch)->Arg(2)->Arg(4)->Arg(8)->Arg(11)->Unit(benchmark::kMicrosecond);

void poseidon_trace_batch(benchmark::State& state) {
  batch(state, poseidon_traces, PoseidonKind::merkle(static_cast<std::size_t>(state.range(0))).trace_size());
}
BENCHMARK(poseidon_trace_batch)->Arg(2)->Arg(4)->Arg(8)->Arg(11)->Unit(benchmark::kMicrosecond);

void poseidon_constants(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(PoseidonConstants(static_cast<std::size_t>(state.range(0))));
}
BENCHMARK(poseidon_constants)->Arg(2)->Arg(11)->Unit(benchmark::kMicrosecond);

using Compress = void (*)(Sha256State&, std::span<const u8>);

void sha256_blocks(benchmark::State& state, Compress compress) {
  const std::vector<u8> message(64 * 1024, 7);
  Sha256State words = kSha256Initial;
  for (auto _ : state) compress(words, message);
  benchmark::DoNotOptimize(words);
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(message.size()));
}
BENCHMARK_CAPTURE(sha256_blocks, chosen, sha256_compress);
BENCHMARK_CAPTURE(sha256_blocks, portable, detail::sha256_compress_portable);

void sha256_tree_node(benchmark::State& state) {
  Digest node{};
  for (auto _ : state) node = sha256_node(node, node);
  benchmark::DoNotOptimize(node);
}
BENCHMARK(sha256_tree_node);

void sha256_tree_level(benchmark::State& state, void (*nodes)(std::span<const Digest>, std::span<Digest>)) {
  const std::vector<Digest> children(128);
  std::vector<Digest> parents(64);
  for (auto _ : state) nodes(children, parents);
  benchmark::DoNotOptimize(parents);
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(parents.size()));
}
BENCHMARK_CAPTURE(sha256_tree_level, chosen, sha256_nodes);
BENCHMARK_CAPTURE(sha256_tree_level, portable, detail::sha256_nodes_portable);
BENCHMARK_CAPTURE(sha256_tree_level, sha_ni, detail::sha256_nodes_sha_ni);
BENCHMARK_CAPTURE(sha256_tree_level, avx2, detail::sha256_nodes_avx2);

}  // namespace
}  // namespace cuzk
