// Native checks of whole partitions of sparse sectors, on one core; "one_by_one" is the reference.
#include <benchmark/benchmark.h>

#include "base/thread_pool.h"
#include "filecoin/c1_decoder.h"
#include "filecoin/porep_check.h"
#include "filecoin/sealing/sparse_post.h"
#include "filecoin/sealing/sparse_update.h"
#include "support/vectors.h"

namespace cuzk::filecoin {
namespace {

constexpr std::string_view kSeed = "check bench";

void check_porep_32g(benchmark::State& state, Hashing hashing) {
  const VanillaPorep porep = decode_c1(test::vector_text("sparse/porep-32g.c1.json.xz"));
  for (auto _ : state) check_porep_partition(porep, 0, hashing);
}
BENCHMARK_CAPTURE(check_porep_32g, together, Hashing::together)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(check_porep_32g, one_by_one, Hashing::one_by_one)->Unit(benchmark::kMillisecond);

void check_snap_32g(benchmark::State& state, Hashing hashing) {
  const VanillaUpdate update = sparse_update(sector_shape("32g"), kSeed, SparseData::filled, ThreadPool::shared());
  for (auto _ : state) check_update_partition(update, 0, hashing);
}
BENCHMARK_CAPTURE(check_snap_32g, together, Hashing::together)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(check_snap_32g, one_by_one, Hashing::one_by_one)->Unit(benchmark::kMillisecond);

void check_sectors(benchmark::State& state, u64 proof_number, Hashing hashing) {
  const PostProof proof = PostProof::from_number(proof_number);
  const VanillaPost post = sparse_post(proof, kSeed, proof.sectors_per_partition(), ThreadPool::shared());
  ThreadPool one(1);
  for (auto _ : state) check_post(post, one, hashing);
}
BENCHMARK_CAPTURE(check_sectors, winning_32g_together, 3, Hashing::together)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(check_sectors, winning_32g_one_by_one, 3, Hashing::one_by_one)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(check_sectors, wpost_32g_together, 13, Hashing::together)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(check_sectors, wpost_32g_one_by_one, 13, Hashing::one_by_one)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace cuzk::filecoin
