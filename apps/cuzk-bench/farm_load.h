/// The database of a farm: on paper, and for real.
#pragma once

#include <CLI/CLI.hpp>

#include "common/exit_status.h"

namespace cuzk::apps {

/// `simulate-farm`: what daemons ask of the database that they share.
void add_farm_load(CLI::App& program);

/// `farm`: the real operations on a database.
void add_farm_bench(CLI::App& program, ExitStatus& status);

}  // namespace cuzk::apps
