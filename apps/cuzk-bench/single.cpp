#include "single.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <filesystem>
#include <future>
#include <memory>
#include <optional>
#include <thread>

#include "base/ablation.h"
#include "base/error.h"
#include "base/spans.h"
#include "common/files.h"
#include "common/fresh_key.h"
#include "common/output.h"
#include "common/provers.h"
#include "common/requests.h"
#include "keys/key_store.h"
#include "partition_lanes.h"

namespace cuzk::apps {
namespace {

struct SingleOptions {
  RequestOptions request;
  std::string keys = keys::default_key_directory().string();
  std::string device = "auto";
  u64 vram_limit = 0;
  std::string trace, urgent;
  std::size_t partitions = SIZE_MAX;
  std::size_t repetitions = 0;
  std::vector<std::string> without;
  bool fresh_key = false, json = false;
};

void write_text(const std::string& path, const std::string& text) {
  write_file(path, {reinterpret_cast<const u8*>(text.data()), text.size()});
}

/// What a run has measured, in milliseconds.
struct Measured {
  std::string device;
  std::size_t partitions = 0;
  u64 constraints = 0;
  std::vector<std::pair<std::string, double>> preparation, proving;
  std::vector<double> requests;  ///< each from the request's text to its verified proofs
  std::vector<double> urgent;    ///< the same of those beside, ascending
};

/// From a request's text to its verified proofs, in milliseconds.
double time_request(const RequestOptions& request, std::size_t partitions, engine::CircuitCatalog& circuits,
                    const groth16::ProvingKey& key, groth16::Prover& prover) {
  Trace whole, stages;
  Span span(&whole, "request");
  const auto statement = read_statement(request, circuits);
  PartitionLanes(*statement, std::min(partitions, statement->partitions()), key, prover, stages).prove();
  span.end();
  return whole.totals_ms().front().second;
}

/// A WinningPoSt every 300 ms beside the proofs that are measured, with a key of its own, until stop().
class UrgentRequests {
 public:
  UrgentRequests(const std::string& input, engine::CircuitCatalog& circuits, groth16::Prover& prover)
      : request_{.kind = "winning", .input = input, .flags = {}},
        circuits_(circuits),
        prover_(prover),
        key_(make_fresh_key(prover, *read_statement(request_, circuits)->circuit(), ThreadPool::shared(), {})),
        thread_([this](const std::stop_token& stop) { repeat(stop); }) {}

  /// The times of all, ascending; throws what one of them threw.
  std::vector<double> stop() {
    thread_.request_stop();
    thread_.join();
    if (failure_) std::rethrow_exception(failure_);
    std::ranges::sort(times_);
    return times_;
  }

 private:
  void repeat(const std::stop_token& stop) {
    try {
      while (!stop.stop_requested()) {
        times_.push_back(time_request(request_, 1, circuits_, *key_, prover_));
        std::this_thread::sleep_for(std::chrono::milliseconds(300));
      }
    } catch (...) {
      failure_ = std::current_exception();
    }
  }

  const RequestOptions request_;
  engine::CircuitCatalog& circuits_;
  groth16::Prover& prover_;
  const std::shared_ptr<const groth16::ProvingKey> key_;
  std::vector<double> times_;
  std::exception_ptr failure_;
  std::jthread thread_;
};

/// The whole request again and again, as a daemon has it that runs for long: code, tables and memory are there.
std::vector<double> repeat(const SingleOptions& options, engine::CircuitCatalog& circuits,
                           const groth16::ProvingKey& key, groth16::Prover& prover) {
  std::vector<double> requests;
  for (std::size_t i = 0; i < options.repetitions; ++i)
    requests.push_back(time_request(options.request, options.partitions, circuits, key, prover));
  return requests;
}

Measured measure(const SingleOptions& options) {
  for (const std::string& name : options.without) leave_out(optimization_named(name));
  keep_memory_of_witnesses();
  Trace preparing, proving;
  engine::CircuitCatalog circuits(engine::default_circuit_cache());
  Span decoding(&preparing, "decode");
  const auto statement = read_statement(options.request, circuits);
  decoding.end();
  Span compiling(&preparing, "circuit");
  const u64 constraints = statement->circuit()->constraints();
  compiling.end();
  const auto prover = make_prover(options.device, ThreadPool::shared(), options.vram_limit);
  const auto key = key_of(*statement, options.fresh_key ? KeySource::fresh : KeySource::file, options.keys, *prover,
                          {.trace = &preparing});
  const std::size_t partitions = std::min(options.partitions, statement->partitions());
  std::optional<UrgentRequests> urgent;
  if (!options.urgent.empty()) urgent.emplace(options.urgent, circuits, *prover);
  PartitionLanes(*statement, partitions, *key, *prover, proving).prove();
  const std::vector<double> beside = urgent ? urgent->stop() : std::vector<double>();
  if (!options.trace.empty()) write_text(options.trace, chrome_trace_json(proving.records()));
  const std::vector<double> requests = repeat(options, circuits, *key, *prover);
  return {prover->device().description, partitions, constraints, preparing.totals_ms(),
          proving.totals_ms(),          requests,   beside};
}

std::string text_of(const SingleOptions& options, const Measured& measured) {
  std::string text = fmt::format("{} {}: {} partitions of {} constraints on {}\n", options.request.kind,
                                 options.request.input, measured.partitions, measured.constraints, measured.device);
  for (const auto& [stage, ms] : measured.preparation) text += fmt::format("  {:<12}{:>10.1f} ms\n", stage, ms);
  text += "for each partition, in two lanes (\"partition\" is the time from one to the next):\n";
  for (const auto& [stage, ms] : measured.proving)
    text += fmt::format("  {:<12}{:>10.1f} ms\n", stage, ms / static_cast<double>(measured.partitions));
  for (std::size_t i = 0; i < measured.requests.size(); ++i)
    text += fmt::format("request {:<4}{:>10.1f} ms\n", i + 1, measured.requests[i]);
  if (const auto& times = measured.urgent; !times.empty()) {
    text += fmt::format("beside them {} WinningPoSts, from request to verified proof: p50 {:.1f}, max {:.1f} ms\n",
                        times.size(), times[times.size() / 2], times.back());
  }
  return text + "every proof is verified";
}

JsonObject json_of(const Measured& measured) {
  JsonObject object, preparation, proving;
  for (const auto& [stage, ms] : measured.preparation) preparation.add(stage, ms);
  for (const auto& [stage, ms] : measured.proving) proving.add(stage, ms / static_cast<double>(measured.partitions));
  object.add("device", measured.device).add("partitions", measured.partitions);
  object.add("constraints", measured.constraints).add("preparation_ms", preparation);
  std::vector<JsonObject> requests;
  for (const double ms : measured.requests) requests.push_back(JsonObject().add("ms", ms));
  object.add("requests", requests);
  if (const auto& times = measured.urgent; !times.empty())
    object.add("urgent_p50_ms", times[times.size() / 2]).add("urgent_max_ms", times.back());
  return object.add("partition_ms", proving).add("verified", true);
}

void run_single(const SingleOptions& options) {
  const Measured measured = measure(options);
  print(options.json ? Form::json : Form::text, json_of(measured), text_of(options, measured));
}

}  // namespace

void add_single(CLI::App& program) {
  auto options = std::make_shared<SingleOptions>();
  auto* command = program.add_subcommand("single", "Proves one statement, stage by stage, and prints their times");
  add_request_options(*command, options->request);
  command->add_option("--keys", options->keys, "directory of the .params files")->capture_default_str();
  command->add_flag("--fresh-key", options->fresh_key, "make a key for this run; on a GPU it stays in its memory");
  command->add_option("--partitions", options->partitions, "only so many")->check(CLI::PositiveNumber);
  command->add_option("--repeat", options->repetitions,
                      "then the whole request so many times more, each timed from its text to its verified proofs");
  command->add_option("--urgent", options->urgent,
                      "request of a WinningPoSt, which is proved again and again meanwhile");
  command
      ->add_option("--without", options->without, "leave an optimization out: \"cuzk-bench ablate --list\" names them")
      ->delimiter(',');
  command->add_option("--trace", options->trace, "file for the spans of all partitions, in Chrome's trace format");
  add_device_options(*command, options->device, options->vram_limit);
  command->add_flag("--json", options->json, "print one JSON object");
  command->footer("Example: cuzk sparse porep --size 32g --out c1.json && cuzk-bench single porep c1.json --fresh-key");
  command->callback([options] { run_single(*options); });
}

}  // namespace cuzk::apps
