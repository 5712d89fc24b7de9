// Witnesses of whole partitions, from decoded vanilla proofs of sparse sectors: CPU time on one core, and how much the
// process grew at most beyond what the input takes (MiB).
#include <benchmark/benchmark.h>
#include <sys/resource.h>

#include <fstream>

#include "base/page_pool.h"
#include "base/thread_pool.h"
#include "filecoin/c1_decoder.h"
#include "filecoin/circuits/porep.h"
#include "filecoin/circuits/post.h"
#include "filecoin/circuits/update.h"
#include "filecoin/sealing/sparse_post.h"
#include "filecoin/sealing/sparse_update.h"
#include "support/vectors.h"

namespace cuzk::filecoin {
namespace {

constexpr std::string_view kSeed = "witness bench";
constexpr u64 kLargestWitness = u64{5} << 30;

/// A field of /proc/self/status, in KiB: "VmRSS:" now, "VmHWM:" at most.
double status_kib(std::string_view field) {
  std::ifstream status("/proc/self/status");
  std::string word;
  double value = 0;
  while (status >> word)
    if (word == field) status >> value;
  return value;
}

/// Growth of the process over its size at construction.
class PeakMemory {
 public:
  PeakMemory() {
    std::ofstream("/proc/self/clear_refs") << "5";  // the peak starts anew
    before_ = status_kib("VmRSS:");
  }
  double mebibytes() const { return (status_kib("VmHWM:") - before_) / 1024; }

 private:
  double before_ = 0;
};

/// CPU time of the process that the kernel took.
double system_milliseconds() {
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_stime.tv_sec) * 1e3 + static_cast<double>(usage.ru_stime.tv_usec) / 1e3;
}

template <class Make>
void witness(benchmark::State& state, const Make& make) {
  const PeakMemory peak;
  const double before = system_milliseconds();
  for (auto _ : state) benchmark::DoNotOptimize(make());
  state.counters["system_ms"] = benchmark::Counter(system_milliseconds() - before, benchmark::Counter::kAvgIterations);
  state.counters["peak_MiB"] = peak.mebibytes();
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

}  // namespace
}  // namespace cuzk::filecoin
