/// For commands that have a word of their own for samples.
#pragma once

#include "measure/options.h"

namespace cuzk::measure {

/// Adds --against, --rounds, --json, --csv, --html alone. The options must outlive the command.
void add_baseline_options(CLI::App& command, MeasureOptions& options);

}  // namespace cuzk::measure
