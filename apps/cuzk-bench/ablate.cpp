#include "ablate.h"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "base/ablation.h"
#include "base/spans.h"
#include "common/output.h"
#include "common/provers.h"
#include "common/requests.h"
#include "keys/key_store.h"
#include "measure/measured.h"
#include "partition_lanes.h"

namespace cuzk::apps {
namespace {

struct AblateOptions {
  measure::MeasureOptions output;
  RequestOptions request;
  std::string keys = keys::default_key_directory().string();
  std::string device = "auto";
  u64 vram_limit = 0;
  std::size_t partitions = 2, rounds = 0;
  std::vector<std::string> without;
  bool fresh_key = false;
};

/// One way to run: nothing left out, one optimization, or all that are asked for.
struct Variant {
  std::string name;
  std::vector<Optimization> left_out;
  std::vector<double> times = {};  ///< milliseconds a partition, a round each
};

std::vector<Variant> variants_of(std::vector<std::string> names) {
  if (names.empty())
    for (const OptimizationName& each : optimizations()) names.emplace_back(each.name);
  std::vector<Variant> variants{{"(nothing)", {}}};
  Variant all{"(all of these)", {}};
  for (const std::string& name : names) {
    variants.push_back({name, {optimization_named(name)}});
    all.left_out.push_back(optimization_named(name));
  }
  if (names.size() > 1) variants.push_back(std::move(all));
  return variants;
}

/// What a run needs that does not change from one variant to the next.
class Ablation {
 public:
  explicit Ablation(const AblateOptions& options)
      : options_(options),
        circuits_(engine::default_circuit_cache()),
        statement_(read_statement(options.request, circuits_)),
        prover_(make_prover(options.device, ThreadPool::shared(), options.vram_limit)),
        key_(key_of(*statement_, options.fresh_key ? KeySource::fresh : KeySource::file, options.keys, *prover_, {})) {}

  /// All variants in turn, so that what changes with time changes for all of them.
  void run_all(std::vector<Variant>& variants, std::size_t rounds, measure::Recorder& recorder) {
    run(variants.front());  // the first takes memory that the others find
    for (std::size_t round = 0; round < rounds; ++round) {
      for (Variant& variant : variants) {
        recorder.progress(fmt::format("round {} of {}, without {}", round + 1, rounds, variant.name),
                          round * variants.size() + static_cast<std::size_t>(&variant - variants.data()),
                          rounds * variants.size());
        variant.times.push_back(run(variant));
      }
    }
  }

  std::string device() const { return prover_->device().description; }

 private:
  double run(const Variant& variant) {
    struct Restore {
      ~Restore() { leave_nothing_out(); }
    } const restore;
    for (const Optimization optimization : variant.left_out) leave_out(optimization);
    Trace trace;
    const std::size_t partitions = std::min(options_.partitions, statement_->partitions());
    PartitionLanes(*statement_, partitions, *key_, *prover_, trace).prove();
    const auto totals = trace.totals_ms();
    return std::ranges::find(totals, "partition", &std::pair<std::string, double>::first)->second /
           static_cast<double>(partitions);
  }

  const AblateOptions& options_;
  engine::CircuitCatalog circuits_;
  const std::shared_ptr<const engine::Statement> statement_;
  const std::shared_ptr<groth16::Prover> prover_;
  const std::shared_ptr<const groth16::ProvingKey> key_;
};

/// Leaving an optimization out makes a proof take longer where it pays.
std::string verdict(const measure::Comparison& comparison) {
  const std::string text = measure::text_of(comparison);
  if (comparison.verdict == measure::Verdict::more) return "it pays: " + text;
  return comparison.verdict == measure::Verdict::less ? "it costs: " + text : text;
}

measure::Measurement measurement_of(const Variant& variant, const Variant& base) {
  measure::Measurement each{.name = "without " + variant.name, .unit = "ms", .samples = variant.times};
  if (&variant != &base)
    each.baseline = measure::Baseline{"nothing left out", measure::Baseline::Taken::in_turn, base.times};
  return each;
}

/// A table in Markdown, as bench/ledger.md has them.
void tell(const std::vector<Variant>& variants, const std::string& device, measure::Recorder& recorder) {
  const std::size_t comparisons = variants.size() - 1;
  recorder.say(
      fmt::format("On {}, every proof verified; {} rounds.\n\n| without | ms a partition | verdict |\n|---|---|---|",
                  device, variants.front().times.size()));
  std::vector<JsonObject> rows;
  for (const Variant& variant : variants) {
    const auto measurement = measurement_of(variant, variants.front());
    const double median = measure::quantile(variant.times, 0.5);
    const auto comparison = measurement.comparison(comparisons);
    recorder.say(fmt::format("| {} | {:.1f} | {} |", variant.name, median, comparison ? verdict(*comparison) : ""));
    JsonObject row;
    row.add("without", variant.name).add("partition_ms", median).add("rounds", variant.times.size());
    if (comparison) row.add("ratio", comparison->ratio).add("verdict", verdict(*comparison));
    rows.push_back(row);
    recorder.add(measurement);
  }
  recorder.say("");
  recorder.figures().add("device", device).add("variants", rows);
}

/// As many rounds as every comparison of the table needs; fewer tell nothing.
std::size_t rounds_of(const AblateOptions& options, std::size_t comparisons) {
  const std::size_t needed = measure::pairs_needed(comparisons);
  if (options.rounds != 0 && options.rounds < needed)
    note(fmt::format("--rounds {}: too few for a verdict on {} variants, which takes {}", options.rounds, comparisons,
                     needed));
  return options.rounds != 0 ? options.rounds : needed;
}

std::string list() {
  std::string text;
  for (const OptimizationName& each : optimizations()) text += fmt::format("{:<14}{}\n", each.name, each.left_out);
  text.pop_back();
  return text;
}

void run_ablate(const AblateOptions& options) {
  std::vector<Variant> variants = variants_of(options.without);
  const std::size_t rounds = rounds_of(options, variants.size() - 1);
  measure::run_measured("ablate", options.output, [&](measure::Recorder& recorder) {
    keep_memory_of_witnesses();
    Ablation ablation(options);
    ablation.run_all(variants, rounds, recorder);
    tell(variants, ablation.device(), recorder);
  });
}

}  // namespace

void add_ablate(CLI::App& program) {
  auto options = std::make_shared<AblateOptions>();
  auto* command =
      program.add_subcommand("ablate", "Leaves optimizations out, one at a time and together, and times that");
  add_request_options(*command, options->request);
  command->add_option("--keys", options->keys, "directory of the .params files")->capture_default_str();
  command->add_flag("--fresh-key", options->fresh_key, "make a key for this run; on a GPU it stays in its memory");
  command->add_option("--partitions", options->partitions, "for each time")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  command
      ->add_option("--rounds", options->rounds,
                   "of all variants in turn; by default as many as a verdict on each needs")
      ->check(CLI::PositiveNumber);
  command->add_option("--without", options->without, "only these")->delimiter(',');
  command
      ->add_flag_callback(
          "--list",
          [] {
            print(Form::text, {}, list());
            throw CLI::Success();
          },
          "say what there is, and what is done without it")
      ->trigger_on_parse();
  add_device_options(*command, options->device, options->vram_limit);
  measure::add_output_options(*command, options->output);
  command->footer("Example: cuzk-bench ablate porep c1.json --fresh-key --without A4,D2");
  command->callback([options] { run_ablate(*options); });
}

}  // namespace cuzk::apps
