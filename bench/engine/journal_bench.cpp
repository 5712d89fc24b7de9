/// What a job costs in the journal: accepted, started, ended, by 1, 16 and 200 callers at once, and how long one of them
/// waits for its acceptance. The directory is made in $TMPDIR (else /tmp): set it to the disk that is meant.
#include <benchmark/benchmark.h>
#include <stdlib.h>

#include <algorithm>
#include <atomic>
#include <thread>

#include "engine/journal/journal.h"

namespace cuzk::engine {
namespace {

using Seconds = std::chrono::duration<double>;

class TemporaryDirectory {
 public:
  TemporaryDirectory() {
    std::string name = std::filesystem::temp_directory_path() / "cuzk_journal_XXXXXX";
    if (mkdtemp(name.data()) == nullptr) throw internal_error("{}: cannot be made", name);
    path_ = name;
  }
  ~TemporaryDirectory() { std::filesystem::remove_all(path_); }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

ProofInput input_of(std::size_t bytes) {
  ProofInput input;
  input.kind = Kind::winning_post;
  input.vanilla_proofs = {std::string(bytes, 'v')};
  return input;
}

JobResult completed() {
  JobResult result;
  result.state = JobState::completed;
  result.proof.resize(192);
  result.timings.stages_ms = {{"witness", 1}, {"msm_h", 2}, {"msm_l", 3}, {"verify", 4}};
  return result;
}

/// `jobs` jobs by one caller; how long each waited for its acceptance, in milliseconds.
std::vector<double> run_jobs(Journal& journal, const ProofInput& input, std::atomic<u64>& next, u64 jobs) {
  std::vector<double> waits;
  const JobResult result = completed();
  JobRecord record;
  record.digest = digest(input);
  for (u64 i = 0; i < jobs; ++i) {
    record.id = fmt::format("{:032x}", next++);
    const auto begin = Clock::now();
    journal.accepted(record, input);
    waits.push_back(Seconds(Clock::now() - begin).count() * 1e3);
    journal.started(record.id);
    journal.ended(record.id, result);
    journal.forgotten(record.id);
  }
  return waits;
}

void journal_jobs(benchmark::State& state) {
  const auto callers = static_cast<u64>(state.range(0));
  const ProofInput input = input_of(static_cast<std::size_t>(state.range(1)));
  const u64 jobs = std::max<u64>(2000 / callers, 10);
  const TemporaryDirectory directory;
  Journal journal(directory.path() / "journal");
  std::atomic<u64> next = 0;
  std::mutex mutex;
  std::vector<double> waits;
  for (auto _ : state) {
    const auto begin = Clock::now();
    std::vector<std::jthread> threads;
    for (u64 i = 0; i < callers; ++i) {
      threads.emplace_back([&] {
        const auto own = run_jobs(journal, input, next, jobs);
        const std::lock_guard lock(mutex);
        waits.insert(waits.end(), own.begin(), own.end());
      });
    }
    threads.clear();
    state.SetIterationTime(Seconds(Clock::now() - begin).count());
  }
  std::sort(waits.begin(), waits.end());
  const auto counts = journal.counts();
  state.counters["jobs/s"] = benchmark::Counter(static_cast<double>(waits.size()), benchmark::Counter::kIsRate);
  state.counters["p50_ms"] = waits[waits.size() / 2];
  state.counters["p99_ms"] = waits[waits.size() * 99 / 100];
  state.counters["changes/commit"] = static_cast<double>(counts.changes) / static_cast<double>(counts.transactions);
}
BENCHMARK(journal_jobs)
    ->ArgNames({"callers", "bytes"})
    ->ArgsProduct({{1, 16, 200}, {10'000}})
    ->UseManualTime()
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond);

/// A C1 document: a file of its own, written by the caller.
void journal_large_input(benchmark::State& state) {
  const ProofInput input = input_of(static_cast<std::size_t>(state.range(0)));
  const TemporaryDirectory directory;
  Journal journal(directory.path() / "journal");
  std::atomic<u64> next = 0;
  std::vector<double> waits;
  for (auto _ : state) {
    waits = run_jobs(journal, input, next, 1);
    state.SetIterationTime(waits.front() / 1e3);
  }
  state.SetBytesProcessed(state.range(0) * static_cast<i64>(state.iterations()));
}
BENCHMARK(journal_large_input)->Arg(51'000'000)->UseManualTime()->Iterations(5)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace cuzk::engine
