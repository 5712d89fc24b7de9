#include "synthesis.h"

#include <algorithm>
#include <atomic>
#include <future>
#include <memory>

#include "base/error.h"
#include "common/provers.h"
#include "common/requests.h"
#include "common/temporary_directory.h"
#include "engine/statements/circuit_cache.h"
#include "measure/measured.h"
#include "measure/peak_memory.h"
#include "r1cs/evaluator.h"

namespace cuzk::apps {
namespace {

using measure::Better;
using measure::Case;
using measure::Reading;
using measure::time_ms;

struct SynthesisOptions {
  measure::MeasureOptions measure;
  RequestOptions request;
  std::size_t partitions = SIZE_MAX;
  std::vector<unsigned> parallel{1, 2, 4};
};

/// A request that was read once, its circuit, and the first partition's witness.
struct Input {
  engine::CircuitCatalog circuits{engine::default_circuit_cache()};
  std::shared_ptr<const engine::Statement> statement;
  std::shared_ptr<const r1cs::Circuit> circuit;
  std::size_t partitions = 0;

  explicit Input(const SynthesisOptions& options)
      : statement(read_statement(options.request, circuits)),
        circuit(statement->circuit()),
        partitions(std::min(options.partitions, statement->partitions())) {}
};

/// a, b and c of a witness, in slices that are forgotten.
void evaluate(const r1cs::Evaluator& evaluator, const r1cs::Witness& witness) {
  u64 seen = 0;
  evaluator.for_each_slice(witness, ThreadPool::shared(), [&](const auto& slice) { seen += slice.a.size(); });
  if (seen == 0) throw internal_error("a circuit without constraints");
}

Case synthesis_case(const SynthesisOptions& options) {
  return {"synth", [&options] {
            auto input = std::make_shared<Input>(options);
            auto evaluator = std::make_shared<r1cs::Evaluator>(*input->circuit);
            return [input, evaluator, &options] {
              const measure::PeakMemory peak;
              const double decode = time_ms([&] { read_statement(options.request, input->circuits); });
              double witness = 0, evaluation = 0;
              for (std::size_t k = 0; k < input->partitions; ++k) {
                std::optional<r1cs::Witness> made;
                witness += time_ms([&] { made.emplace(input->statement->witness(k)); });
                evaluation += time_ms([&] { evaluate(*evaluator, *made); });
              }
              const double count = static_cast<double>(input->partitions);
              return std::vector<Reading>{{"decode", decode},
                                          {"witness", witness / count},
                                          {"evaluate", evaluation / count},
                                          {"memory", peak.megabytes(), "MB"}};
            };
          }};
}

void run_synth_only(const SynthesisOptions& options) {
  measure::run_measured("synth-only", options.measure, [&](measure::Recorder& recorder) {
    keep_memory_of_witnesses();
    recorder.say("decode: of the whole request; witness and evaluate (a, b, c): of one partition");
    recorder.measure(synthesis_case(options));
  });
}

/// The circuit made anew, written, read again and used: each a reading.
Case circuit_case(const SynthesisOptions& options) {
  return {"pce", [&options] {
            auto input = std::make_shared<Input>(options);
            auto witness = std::make_shared<r1cs::Witness>(input->statement->witness(0));
            auto directory = std::make_shared<TemporaryDirectory>();
            return [=] {
              const std::string id = input->statement->circuit_id();
              const engine::CircuitCache cache(*directory / "circuits");
              std::shared_ptr<const r1cs::Circuit> built;
              const double build = time_ms([&] { built = engine::CircuitCatalog().get(id); });
              const double store = time_ms([&] { cache.store(id, *built); });
              std::optional<r1cs::CircuitFile> file;
              const double load = time_ms([&] { file = cache.load(id); });
              if (!file) throw internal_error("the circuit that was just written cannot be read");
              std::optional<r1cs::Evaluator> evaluator;
              const double programs = time_ms([&] { evaluator.emplace(file->circuit); });
              const double evaluation = time_ms([&] { evaluate(*evaluator, *witness); });
              return std::vector<Reading>{
                  {"build", build},         {"store", store},
                  {"load", load},           {"programs", programs},
                  {"evaluate", evaluation}, {"size", static_cast<double>(built->image().size()) / 1e6, "MB"}};
            };
          }};
}

void run_pce_bench(const SynthesisOptions& options) {
  measure::run_measured("pce-bench", options.measure, [&](measure::Recorder& recorder) {
    recorder.say(
        "build: compiled from the program; store, load: its file; programs, evaluate: a, b, c of one partition");
    recorder.measure(circuit_case(options));
  });
}

/// So many threads take partitions in turn, each its witness and a, b, c.
void run_pipelines(const Input& input, const r1cs::Evaluator& evaluator, unsigned threads, std::size_t count) {
  std::atomic<std::size_t> next = 0;
  std::vector<std::future<void>> pipelines;
  for (unsigned i = 0; i < threads; ++i) {
    pipelines.push_back(std::async(std::launch::async, [&] {
      for (std::size_t k = next++; k < count; k = next++)
        evaluate(evaluator, input.statement->witness(k % input.partitions));
    }));
  }
  for (auto& pipeline : pipelines) pipeline.wait();
  for (auto& pipeline : pipelines) pipeline.get();
}

Case pipeline_case(const SynthesisOptions& options, unsigned threads) {
  return {"pipeline",
          [&options, threads] {
            auto input = std::make_shared<Input>(options);
            auto evaluator = std::make_shared<r1cs::Evaluator>(*input->circuit);
            return [=] {
              const std::size_t count = std::max<std::size_t>(input->partitions, std::size_t{2} * threads);
              const measure::PeakMemory peak;
              const double ms = time_ms([&] { run_pipelines(*input, *evaluator, threads, count); });
              return std::vector<Reading>{
                  {"throughput", 1000.0 * static_cast<double>(count) / ms, "partitions/s", Better::more},
                  {"memory", peak.megabytes(), "MB"}};
            };
          },
          static_cast<double>(threads), "partitions at a time"};
}

void run_pce_pipeline(const SynthesisOptions& options) {
  measure::run_measured("pce-pipeline", options.measure, [&](measure::Recorder& recorder) {
    keep_memory_of_witnesses();
    for (const unsigned threads : options.parallel) recorder.measure(pipeline_case(options, threads));
  });
}

CLI::App* add_command(CLI::App& program, const std::shared_ptr<SynthesisOptions>& options, const char* name,
                      const char* description, void (*run)(const SynthesisOptions&)) {
  auto* command = program.add_subcommand(name, description);
  add_request_options(*command, options->request);
  command->add_option("--partitions", options->partitions, "only so many")->check(CLI::PositiveNumber);
  measure::add_measure_options(*command, options->measure, measure::Switches::none);
  command->footer(fmt::format("Example: cuzk-bench {} porep c1.json --samples 20", name));
  command->callback([options, run] { run(*options); });
  return command;
}

}  // namespace

void add_synth_only(CLI::App& program) {
  add_command(program, std::make_shared<SynthesisOptions>(), "synth-only",
              "Times what comes before a proof: decoding, the witness, a, b and c", run_synth_only);
}

void add_pce_bench(CLI::App& program) {
  add_command(program, std::make_shared<SynthesisOptions>(), "pce-bench",
              "Times the compiled circuit of a request: build, store, load, evaluate", run_pce_bench);
}

void add_pce_pipeline(CLI::App& program) {
  const auto options = std::make_shared<SynthesisOptions>();
  add_command(program, options, "pce-pipeline", "Witnesses and a, b, c of several partitions at a time",
              run_pce_pipeline)
      ->add_option("--parallel", options->parallel, "how many at a time, one measurement for each")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::Range(1, 1024))
      ->capture_default_str();
}

}  // namespace cuzk::apps
