#include "throughput.h"

#include <algorithm>
#include <atomic>
#include <future>
#include <memory>

#include "base/error.h"
#include "common/connection_options.h"
#include "common/provers.h"
#include "common/requests.h"
#include "keys/key_store.h"
#include "measure/measured.h"
#include "measure/peak_memory.h"
#include "partition_lanes.h"
#ifdef CUZK_SERVER
#include "commands/server_connection.h"
#include "load_run.h"
#include "server/messages.h"
#endif

namespace cuzk::apps {
namespace {

using measure::Better;
using measure::Case;
using measure::Reading;
using measure::time_ms;

struct ThroughputOptions {
  measure::MeasureOptions measure{.warmup = 1, .samples = 3};
  RequestOptions request;
  ConnectionOptions daemon;
  std::string keys = keys::default_key_directory().string();
  std::string device = "auto";
  u64 vram_limit = 0;
  std::size_t count = 8, partitions = SIZE_MAX;
  std::vector<unsigned> at_a_time{1, 2, 4};
  bool fresh_key = false;
};

/// The prover and the key that all samples share.
struct Bench {
  engine::CircuitCatalog circuits{engine::default_circuit_cache()};
  std::shared_ptr<const engine::Statement> statement;
  std::shared_ptr<groth16::Prover> prover;
  std::shared_ptr<const groth16::ProvingKey> key;

  explicit Bench(const ThroughputOptions& options)
      : statement(read_statement(options.request, circuits)),
        prover(make_prover(options.device, ThreadPool::shared(), options.vram_limit)),
        key(key_of(*statement, options.fresh_key ? KeySource::fresh : KeySource::file, options.keys, *prover, {})) {}

  /// The partitions of a request, so many at a time.
  void prove(const engine::Statement& of, std::size_t most, unsigned slots) const {
    Trace trace;
    PartitionLanes(of, std::min(most, of.partitions()), *key, *prover, trace, slots).prove();
  }
};

/// What a batch of proofs came to.
struct Batch {
  double ms;                      ///< from the first to the last
  std::vector<double> latencies;  ///< of each, ms
};

std::vector<Reading> readings_of(const Batch& batch) {
  const double each_second = 1000 * static_cast<double>(batch.latencies.size()) / batch.ms;
  return {{"throughput", each_second, "proofs/s", Better::more},
          {"latency.p50", measure::quantile(batch.latencies, 0.5)},
          {"latency.p99", measure::quantile(batch.latencies, 0.99)}};
}

/// Whole requests, from their text to their verified proofs, by so many threads.
Batch prove_here(Bench& bench, const ThroughputOptions& options, unsigned threads) {
  Batch batch{0, std::vector<double>(options.count)};
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t i = next++; i < options.count; i = next++)
      batch.latencies[i] =
          time_ms([&] { bench.prove(*read_statement(options.request, bench.circuits), options.partitions, 2); });
  };
  batch.ms = time_ms([&] {
    std::vector<std::future<void>> callers;
    for (unsigned i = 0; i < threads; ++i) callers.push_back(std::async(std::launch::async, work));
    for (auto& caller : callers) caller.wait();
    for (auto& caller : callers) caller.get();
  });
  return batch;
}

#ifdef CUZK_SERVER
LoadPlan plan_of(const ThroughputOptions& options, unsigned clients) {
  LoadPlan plan;
  plan.daemon = connection_of(options.daemon);
  plan.requests.push_back(server::request_message(read_input(options.request), ""));
  plan.clients = clients;
  plan.total = options.count;
  return plan;
}

Batch prove_there(const ThroughputOptions& options, unsigned clients) {
  const LoadResults results = run_load(plan_of(options, clients));
  if (const auto& calls = results.clients; calls.answered.count() != options.count) {
    throw Error(
        Code::unavailable,
        fmt::format("of {} proofs the daemon refused {} and failed {}{}", options.count, calls.refused.count(),
                    calls.failed, calls.errors.empty() ? "" : fmt::format(": {}", calls.errors.begin()->first)));
  }
  return {results.seconds * 1000, results.clients.answered.samples()};
}
#else
Batch prove_there(const ThroughputOptions&, unsigned) {
  throw Error(Code::unavailable, "--connect: this build has no client; without it proofs are made in this process");
}
#endif

void run_batch(const ThroughputOptions& options) {
  measure::run_measured("batch", options.measure, [&](measure::Recorder& recorder) {
    keep_memory_of_witnesses();
    const bool is_here = options.daemon.connect.empty();
    const auto bench = is_here ? std::make_shared<Bench>(options) : nullptr;
    recorder.say(fmt::format("batches of {} proofs, {}", options.count,
                             is_here ? fmt::format("on {}", bench->prover->device().description)
                                     : fmt::format("by {}", options.daemon.connect)));
    for (const unsigned threads : options.at_a_time) {
      recorder.measure({"batch",
                        [&, threads] {
                          return [&, threads] {
                            return readings_of(is_here ? prove_here(*bench, options, threads)
                                                       : prove_there(options, threads));
                          };
                        },
                        static_cast<double>(threads), "proofs at a time"});
    }
  });
}

Case slots_case(const std::shared_ptr<Bench>& bench, const ThroughputOptions& options, unsigned slots) {
  return {"slots",
          [=, &options] {
            return [=, &options] {
              const auto partitions = static_cast<double>(std::min(options.partitions, bench->statement->partitions()));
              const measure::PeakMemory peak;
              const double ms = time_ms([&] { bench->prove(*bench->statement, options.partitions, slots); });
              return std::vector<Reading>{{"partition", ms / partitions},
                                          {"throughput", 1000 * partitions / ms, "partitions/s", Better::more},
                                          {"memory", peak.megabytes(), "MB"}};
            };
          },
          static_cast<double>(slots), "slots"};
}

void run_slotted_bench(const ThroughputOptions& options) {
  measure::run_measured("slotted-bench", options.measure, [&](measure::Recorder& recorder) {
    keep_memory_of_witnesses();
    const auto bench = std::make_shared<Bench>(options);
    recorder.say(fmt::format("partitions of one proof on {}, by how many are under way (witness, proof or check)",
                             bench->prover->device().description));
    for (const unsigned slots : options.at_a_time) recorder.measure(slots_case(bench, options, slots));
  });
}

CLI::App* add_command(CLI::App& program, const std::shared_ptr<ThroughputOptions>& options, const char* name,
                      const char* description, void (*run)(const ThroughputOptions&)) {
  auto* command = program.add_subcommand(name, description);
  add_request_options(*command, options->request);
  command->add_option("--keys", options->keys, "directory of the .params files")->capture_default_str();
  command->add_flag("--fresh-key", options->fresh_key, "make a key for this run; on a GPU it stays in its memory");
  command->add_option("--partitions", options->partitions, "only so many of a proof")->check(CLI::PositiveNumber);
  add_device_options(*command, options->device, options->vram_limit);
  measure::add_measure_options(*command, options->measure);
  command->callback([options, run] { run(*options); });
  return command;
}

}  // namespace

void add_batch(CLI::App& program) {
  const auto options = std::make_shared<ThroughputOptions>();
  auto* command = add_command(program, options, "batch",
                              "Batches of whole proofs, by the number that is made at a time", run_batch);
  add_connection_options(*command, options->daemon);
  command->add_option("-n,--count", options->count, "proofs of a batch")
      ->check(CLI::Range(1, 1'000'000))
      ->capture_default_str();
  command->add_option("-c,--concurrency", options->at_a_time, "proofs at a time, a measurement for each")
      ->delimiter(',')
      ->allow_extra_args(false)  // what follows may be KIND
      ->check(CLI::Range(1, 10'000))
      ->capture_default_str();
  command->footer(
      "With --connect a daemon proves, and --keys, --device and --without say nothing.\n"
      "Example: cuzk-bench batch winning request.json --fresh-key -n 20 -c 1,2,4");
}

void add_slotted_bench(CLI::App& program) {
  const auto options = std::make_shared<ThroughputOptions>();
  add_command(program, options, "slotted-bench",
              "The partitions of one proof, by the number that is under way at a time", run_slotted_bench)
      ->footer("Example: cuzk-bench slotted-bench porep c1.json --fresh-key --slots 1,2,3 --html slots.html")
      ->add_option("--slots", options->at_a_time, "partitions under way, a measurement for each")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::Range(1, 64))
      ->capture_default_str();
}

}  // namespace cuzk::apps
