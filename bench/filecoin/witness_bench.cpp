// Witnesses of whole partitions, from decoded vanilla proofs of sparse sectors: CPU time on one core, and how much the
// process grew at most beyond what the input takes (MiB).
#include <benchmark/benchmark.h>

#include "base/page_pool.h"
#include "base/thread_pool.h"
#include "filecoin/c1_decoder.h"
#include "filecoin/circuits/porep.h"
#include "filecoin/circuits/post.h"
#include "filecoin/circuits/update.h"
#include "filecoin/sealing/sparse_post.h"
#include "filecoin/sealing/sparse_update.h"
#include "process_cost.h"
#include "r1cs/expansion.h"
#include "support/vectors.h"

namespace cuzk::filecoin {
namespace {

constexpr std::string_view kSeed = "witness bench";
constexpr u64 kLargestWitness = u64{5} << 30;

template <class Make>
void witness(benchmark::State& state, const Make& make) {
  const ProcessCost cost(state);
  for (auto _ : state) benchmark::DoNotOptimize(make());
}

void witness_porep_32g(benchmark::State& state) {
  const PorepInput input = decode_c1(test::vector_text("sparse/porep-32g.c1.json.xz")).partitions[0];
  witness(state, [&] { return porep_witness(input); });
}
BENCHMARK(witness_porep_32g)->Unit(benchmark::kMillisecond);

void witness_snap_32g(benchmark::State& state) {
  const SectorShape& shape = sector_shape("32g");
  const UpdateInput input = sparse_update(shape, kSeed, SparseData::filled, ThreadPool::shared()).input(0);
  witness(state, [&] { return update_witness(shape, input); });
}
BENCHMARK(witness_snap_32g)->Unit(benchmark::kMillisecond);

void witness_winning_32g(benchmark::State& state) {
  const PostProof proof = PostProof::from_number(3);
  const VanillaPost post = sparse_post(proof, kSeed, 1, ThreadPool::shared());
  const PostInput input = post.input(0);
  witness(state, [&] { return post_witness(input); });
}
BENCHMARK(witness_winning_32g)->Unit(benchmark::kMillisecond);

/// Kept: in the memory of a witness before.
enum class Pages { fresh, kept };

void witness_wpost_32g(benchmark::State& state, Pages pages) {
  const PostProof proof = PostProof::from_number(13);
  const VanillaPost post = sparse_post(proof, kSeed, proof.sectors_per_partition(), ThreadPool::shared());
  PagePool::shared().keep(pages == Pages::kept ? kLargestWitness : 0);
  if (pages == Pages::kept) benchmark::DoNotOptimize(post_witness(post.input(0)));
  witness(state, [&] { return post_witness(post.input(0)); });
  PagePool::shared().keep(0);
}
BENCHMARK_CAPTURE(witness_wpost_32g, fresh, Pages::fresh)->Unit(benchmark::kMillisecond)->Iterations(1)->Repetitions(3);
BENCHMARK_CAPTURE(witness_wpost_32g, kept, Pages::kept)->Unit(benchmark::kMillisecond)->Iterations(1)->Repetitions(3);

/// With every value written out, as a prover on the processor or a digest needs them: in parts of some megabytes.
void values_of_wpost_32g(benchmark::State& state) {
  const PostProof proof = PostProof::from_number(13);
  const VanillaPost post = sparse_post(proof, kSeed, proof.sectors_per_partition(), ThreadPool::shared());
  witness(state, [&] {
    u64 values = 0;
    const r1cs::Witness packed = post_witness(post.input(0));
    r1cs::for_each_plain_part(packed, [&](const r1cs::Witness& part) { values += part.aux_count(); });
    return values;
  });
}
BENCHMARK(values_of_wpost_32g)->Unit(benchmark::kMillisecond)->Iterations(1)->Repetitions(3);

}  // namespace
}  // namespace cuzk::filecoin
