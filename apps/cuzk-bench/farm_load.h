/// The database of a farm: on paper, and for real.
#pragma once

#include <CLI/CLI.hpp>

#include "common/exit_status.h"

namespace cuzk::apps {

/// What `simulate --farm` takes beside its own options.
struct FarmLoadOptions {
  unsigned daemons = 0;  ///< 0: no farm is simulated
  double jobs_a_day = 1e6, job_seconds = 60, hours = 24;
};

void add_farm_load_options(CLI::App& simulate, FarmLoadOptions& options);

/// Prints what the database of such a farm is asked for.
enum class FarmReport { text, json };
void run_farm_load(const FarmLoadOptions& options, unsigned long long seed, FarmReport form);

/// `farm`: the real operations on a database.
void add_farm_bench(CLI::App& program, ExitStatus& status);

}  // namespace cuzk::apps
