#include "single.h"

#include <algorithm>
#include <exception>
#include <memory>
#include <optional>
#include <thread>

#include "base/error.h"
#include "base/spans.h"
#include "cancels.h"
#include "common/files.h"
#include "common/fresh_key.h"
#include "common/provers.h"
#include "common/requests.h"
#include "keys/key_store.h"
#include "measure/measured.h"
#include "partition_lanes.h"

namespace cuzk::apps {
namespace {

struct SingleOptions {
  measure::MeasureOptions measure{.warmup = 0, .samples = 1};
  RequestOptions request;
  std::string keys = keys::default_key_directory().string();
  std::string device = "auto";
  u64 vram_limit = 0;
  std::string trace, urgent;
  std::size_t partitions = SIZE_MAX;
  unsigned cancel = 0;
  bool fresh_key = false;
};

using Totals = std::vector<std::pair<std::string, double>>;

/// One request, from its text to its verified proofs.
struct Timed {
  double ms = 0;
  std::vector<SpanRecord> spans;
  Totals stages;
};

Timed time_request(const RequestOptions& request, std::size_t partitions, engine::CircuitCatalog& circuits,
                   const groth16::ProvingKey& key, groth16::Prover& prover) {
  Trace whole, stages;
  Span span(&whole, "request");
  Span decoding(&stages, "decode");
  const auto statement = read_statement(request, circuits);
  decoding.end();
  PartitionLanes(*statement, std::min(partitions, statement->partitions()), key, prover, stages).prove();
  span.end();
  return {whole.totals_ms().front().second, stages.records(), stages.totals_ms()};
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

  /// The times of all; throws what one of them threw.
  std::vector<double> stop() {
    thread_.request_stop();
    thread_.join();
    if (failure_) std::rethrow_exception(failure_);
    return times_;
  }

 private:
  void repeat(const std::stop_token& stop) {
    try {
      while (!stop.stop_requested()) {
        times_.push_back(time_request(request_, 1, circuits_, *key_, prover_).ms);
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

/// What `work` gives; its time goes to the trace.
template <class Work>
auto timed(Trace& trace, const char* stage, Work&& work) {
  const Span span(&trace, stage);
  return work();
}

/// What all samples share: the circuit, the prover, its key.
class Single {
 public:
  Single(const SingleOptions& options, measure::Recorder& recorder)
      : options_(options),
        circuits_(engine::default_circuit_cache()),
        statement_(timed(preparing_, "decode", [&] { return read_statement(options.request, circuits_); })),
        circuit_(timed(preparing_, "circuit", [&] { return statement_->circuit(); })),
        prover_(make_prover(options.device, ThreadPool::shared(), options.vram_limit)),
        key_(key_of(*statement_, options.fresh_key ? KeySource::fresh : KeySource::file, options.keys, *prover_,
                    {.trace = &preparing_, .on_progress = [&recorder](const ProgressUpdate& update) {
                       recorder.progress(std::string(update.stage), update.done, update.total);
                     }})) {}

  Totals preparation() const { return preparing_.totals_ms(); }
  std::size_t partitions() const { return std::min(options_.partitions, statement_->partitions()); }
  u64 constraints() const { return circuit_->constraints(); }
  groth16::Prover& prover() { return *prover_; }
  engine::CircuitCatalog& circuits() { return circuits_; }
  const Timed& last() const { return last_; }

  /// Of the first partition, as often as the options say.
  Cancels cancels() {
    const r1cs::Witness witness = statement_->witness(0);
    return time_cancels(*prover_, {*key_, *circuit_, witness}, options_.cancel);
  }

  /// The request's time, and each stage's for a partition.
  std::vector<measure::Reading> sample() {
    last_ = time_request(options_.request, options_.partitions, circuits_, *key_, *prover_);
    std::vector<measure::Reading> readings{{"request", last_.ms}};
    for (const auto& [stage, ms] : last_.stages) readings.push_back({stage, ms / static_cast<double>(partitions())});
    std::ranges::sort(readings.begin() + 1, readings.end(), {}, &measure::Reading::name);  // lanes begin in any order
    return readings;
  }

 private:
  const SingleOptions& options_;
  Trace preparing_;
  engine::CircuitCatalog circuits_;
  const std::shared_ptr<const engine::Statement> statement_;
  const std::shared_ptr<const r1cs::Circuit> circuit_;
  const std::shared_ptr<groth16::Prover> prover_;
  const std::shared_ptr<const groth16::ProvingKey> key_;
  Timed last_;
};

JsonObject object_of(const Totals& totals, double divisor) {
  JsonObject object;
  for (const auto& [stage, ms] : totals) object.add(stage, ms / divisor);
  return object;
}

void tell(measure::Recorder& recorder, Single& single, const SingleOptions& options) {
  const std::string device = single.prover().device().description;
  recorder.say(fmt::format("{} {}: {} partitions of {} constraints on {}; every proof is verified",
                           options.request.kind, options.request.input, single.partitions(), single.constraints(),
                           device));
  for (const auto& [stage, ms] : single.preparation()) recorder.say(fmt::format("  {:<12}{:>10.1f} ms", stage, ms));
  recorder.say("request: from its text to its verified proofs; the others: for each partition, in two lanes");
  recorder.figures().add("device", device).add("partitions", single.partitions());
  recorder.figures().add("constraints", single.constraints()).add("verified", true);
  recorder.figures().add("preparation_ms", object_of(single.preparation(), 1));
  recorder.figures().add("partition_ms", object_of(single.last().stages, static_cast<double>(single.partitions())));
}

void measure_cancels(Single& single, measure::Recorder& recorder) {
  recorder.progress("stopping proofs", 0, 0);
  Cancels cancels = single.cancels();
  recorder.add({.name = "proof", .unit = "ms", .samples = std::move(cancels.proofs)});
  recorder.add({.name = "proof, stoppable", .unit = "ms", .samples = std::move(cancels.stoppable)});
  recorder.add({.name = "stopped", .unit = "ms", .samples = std::move(cancels.ends)});
}

void measure_single(const SingleOptions& options, measure::Recorder& recorder) {
  keep_memory_of_witnesses();
  recorder.progress("reading the request, loading the key", 0, 0);
  Single single(options, recorder);
  std::optional<UrgentRequests> urgent;
  if (!options.urgent.empty()) urgent.emplace(options.urgent, single.circuits(), single.prover());
  recorder.measure({"single", [&] { return [&] { return single.sample(); }; }});
  if (urgent) recorder.add(measure::Measurement{.name = "urgent", .unit = "ms", .samples = urgent->stop()});
  if (options.cancel > 0) measure_cancels(single, recorder);
  recorder.add_stages(single.last().spans, [&](const SpanRecord& span) { return lane_of(span, single.prover()); });
  if (!options.trace.empty()) write_file(options.trace, bytes_of(chrome_trace_json(single.last().spans)));
  tell(recorder, single, options);
}

void run_single(const SingleOptions& options) {
  if (!options.trace.empty()) check_can_write(options.trace);
  measure::run_measured("single", options.measure,
                        [&](measure::Recorder& recorder) { measure_single(options, recorder); });
}

}  // namespace

void add_single(CLI::App& program) {
  auto options = std::make_shared<SingleOptions>();
  auto* command = program.add_subcommand("single", "Proves one statement, stage by stage, and prints their times");
  add_request_options(*command, options->request);
  command->add_option("--keys", options->keys, "directory of the .params files")->capture_default_str();
  command->add_flag("--fresh-key", options->fresh_key, "make a key for this run; on a GPU it stays in its memory");
  command->add_option("--partitions", options->partitions, "only so many")->check(CLI::PositiveNumber);
  command->add_option_function<unsigned>(
      "--repeat",
      [options](unsigned times) {
        options->measure.warmup = 1;
        options->measure.samples = times;
      },
      "short for --warmup 1 --samples N");
  command->add_option("--urgent", options->urgent,
                      "request of a WinningPoSt, which is proved again and again meanwhile");
  command
      ->add_option("--cancel", options->cancel,
                   "then stop so many proofs, at moments spread over a proof, and time how soon each ends")
      ->check(CLI::PositiveNumber);
  command->add_option("--trace", options->trace,
                      "file for the stages of the last sample, in Chrome's trace format (ui.perfetto.dev)");
  add_device_options(*command, options->device, options->vram_limit);
  measure::add_measure_options(*command, options->measure);
  command->footer("Example: cuzk sparse porep --size 32g --out c1.json && cuzk-bench single porep c1.json --fresh-key");
  command->callback([options] { run_single(*options); });
}

}  // namespace cuzk::apps
