#include "ablate.h"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "base/ablation.h"
#include "base/json_object.h"
#include "base/spans.h"
#include "common/files.h"
#include "common/output.h"
#include "common/provers.h"
#include "common/requests.h"
#include "keys/key_store.h"
#include "partition_lanes.h"

namespace cuzk::apps {
namespace {

struct AblateOptions {
  RequestOptions request;
  std::string keys = keys::default_key_directory().string();
  std::string device = "auto";
  u64 vram_limit = 0;
  std::size_t partitions = 2, rounds = 5;
  std::vector<std::string> without;
  bool fresh_key = false, json = false;
};

/// One way to run: nothing left out, one optimization, or all that are asked for.
struct Variant {
  std::string name;
  std::vector<Optimization> left_out;
  std::vector<double> times = {};  ///< milliseconds a partition, a round each

  double median() const {
    std::vector<double> sorted = times;
    std::ranges::sort(sorted);
    return sorted[sorted.size() / 2];
  }
  /// Half the way from the fastest round to the slowest, as a share of the median.
  double noise() const {
    const auto [least, most] = std::ranges::minmax(times);
    return (most - least) / 2 / median();
  }
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
  void measure(std::vector<Variant>& variants) {
    run(variants.front());  // the first takes memory that the others find
    for (std::size_t round = 0; round < options_.rounds; ++round) {
      for (Variant& variant : variants) {
        const double time = run(variant);
        variant.times.push_back(time);
        note(fmt::format("round {} of {}, without {}: {:.1f} ms", round + 1, options_.rounds, variant.name, time));
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

std::string verdict(const Variant& variant, const Variant& base) {
  const double ratio = variant.median() / base.median(), noise = std::max(variant.noise(), base.noise());
  if (ratio > 1 + noise) return "it pays";
  return ratio < 1 - noise ? "it costs" : "no difference within noise";
}

std::string text_of(const std::vector<Variant>& variants, const std::string& device) {
  std::string text = fmt::format("on {}, every proof verified\n{:<16}{:>12}{:>9}{:>9}\n", device, "without",
                                 "ms/partition", "ratio", "noise");
  for (const Variant& variant : variants) {
    text += fmt::format("{:<16}{:>12.1f}{:>9.3f}{:>8.1f}%", variant.name, variant.median(),
                        variant.median() / variants.front().median(), 100 * variant.noise());
    text += &variant == &variants.front() ? "\n" : fmt::format("  {}\n", verdict(variant, variants.front()));
  }
  text.pop_back();
  return text;
}

JsonObject json_of(const std::vector<Variant>& variants, const std::string& device) {
  std::vector<JsonObject> rows;
  for (const Variant& variant : variants) {
    JsonObject row;
    row.add("without", variant.name).add("partition_ms", variant.median());
    row.add("ratio", variant.median() / variants.front().median()).add("noise", variant.noise());
    rows.push_back(row.add("rounds", variant.times.size()));
  }
  return JsonObject().add("device", device).add("variants", rows);
}

std::string list() {
  std::string text;
  for (const OptimizationName& each : optimizations()) text += fmt::format("{:<14}{}\n", each.name, each.left_out);
  text.pop_back();
  return text;
}

void run_ablate(const AblateOptions& options) {
  std::vector<Variant> variants = variants_of(options.without);
  keep_memory_of_witnesses();
  Ablation ablation(options);
  ablation.measure(variants);
  print(options.json ? Form::json : Form::text, json_of(variants, ablation.device()),
        text_of(variants, ablation.device()));
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
  command->add_option("--rounds", options->rounds, "of all variants in turn")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
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
  command->add_flag("--json", options->json, "print one JSON object");
  command->footer("Example: cuzk-bench ablate porep c1.json --fresh-key --without A4,D2");
  command->callback([options] { run_ablate(*options); });
}

}  // namespace cuzk::apps
