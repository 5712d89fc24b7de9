/// The options that every measuring command has.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace cuzk::measure {

struct MeasureOptions {
  unsigned warmup = 1;       ///< samples taken first and forgotten
  unsigned samples = 10;     ///< of each measurement
  unsigned rounds = 0;       ///< --against a program: how often each of the two runs; 0: as often as a verdict needs
  std::string against = {};  ///< a result's file, a program, "self", or a daemon's address; empty: no baseline
  std::vector<std::string> without = {};       ///< names of optimizations (base/ablation.h)
  std::string json = {}, csv = {}, html = {};  ///< files; json "-": standard output; empty: none
};

/// Whether a command's work can leave optimizations out.
enum class Switches { none, without };

/// Adds --warmup, --samples, --against, --rounds, --json, --csv, --html, and --without where it applies. The options must
/// outlive the command.
void add_measure_options(CLI::App& command, MeasureOptions& options, Switches switches = Switches::without);

/// Adds --json, --csv, --html alone.
void add_output_options(CLI::App& command, MeasureOptions& options);

}  // namespace cuzk::measure
