/// From the command line of `cuzk-bench stress` to plans of a load.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "common/connection_options.h"
#include "load_run.h"
#include "measure/options.h"

namespace cuzk::apps {

struct StressOptions {
  measure::MeasureOptions output{.warmup = 0};
  ConnectionOptions daemon = default_daemon();
  std::string kind;
  std::vector<std::string> inputs;
  std::vector<std::string> mix;  ///< "kind=file:weight"
  std::string urgent;
  std::vector<std::size_t> clients{100};  ///< a measurement for each
  std::size_t requests = 1000;
  unsigned interval_ms = 0, urgent_interval_ms = 1000;
  double rate = 0;  ///< requests a second; 0: a closed loop
  std::string arrivals = "poisson";
  u64 seed = 0;
  bool ramp = false;
  double ramp_factor = 1.5, knee = 5;
  unsigned ramp_steps = 12;
  bool submit_only = false;
};

/// Adds all of them. The options must outlive the command.
void add_stress_options(CLI::App& command, StressOptions& options);

/// Reads the requests. Throws Error naming the file, UsageError for a mix that cannot be read.
LoadPlan plan_of(const StressOptions& options);

/// Indices in the order in which requests of such weights come, evenly mixed: 3 and 1 are 0 0 1 0. Exported for tests.
std::vector<std::size_t> weighted_order(const std::vector<unsigned>& weights);

}  // namespace cuzk::apps
