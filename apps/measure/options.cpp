#include "measure/options.h"

#include <CLI/CLI.hpp>

#include "measure/baseline_options.h"

namespace cuzk::measure {

void add_output_options(CLI::App& command, MeasureOptions& options) {
  command.add_option("--json", options.json, "write the result as JSON to a file; without one print it")
      ->expected(0, 1)
      ->default_str("-")
      ->group("Output");
  command.add_option("--csv", options.csv, "write all samples to a file")->group("Output");
  command.add_option("--html", options.html, "write a page with plots to a file")->group("Output");
}

void add_baseline_options(CLI::App& command, MeasureOptions& options) {
  command
      .add_option(
          "--against", options.against,
          "a baseline: a file that --json wrote; or another cuzk-bench, or self, which runs in turn with this one "
          "and with the same arguments, --without left out; or, where a daemon is measured, another one's address")
      ->group("Measuring");
  command
      .add_option("--rounds", options.rounds,
                  "--against a program or a daemon: how often each runs; by default as often as a verdict needs")
      ->check(CLI::Range(1, 10'000))
      ->group("Measuring");
  add_output_options(command, options);
}

void add_measure_options(CLI::App& command, MeasureOptions& options, Switches switches) {
  command.add_option("--warmup", options.warmup, "samples taken first and forgotten")
      ->check(CLI::Range(0, 1'000'000))
      ->capture_default_str()
      ->group("Measuring");
  command.add_option("--samples", options.samples, "of each measurement")
      ->check(CLI::Range(1, 1'000'000))
      ->capture_default_str()
      ->group("Measuring");
  if (switches == Switches::without) {
    command
        .add_option("--without", options.without, "leave optimizations out: \"cuzk-bench ablate --list\" names them")
        ->delimiter(',')
        ->group("Measuring");
  }
  add_baseline_options(command, options);
}

}  // namespace cuzk::measure
