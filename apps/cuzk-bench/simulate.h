/// `cuzk-bench simulate`: a provider's days on paper; how long jobs wait, and how many GPUs are needed.
#pragma once

#include <CLI/CLI.hpp>

#include "common/exit_status.h"

namespace cuzk::apps {

void add_simulate(CLI::App& program, ExitStatus& status);

}  // namespace cuzk::apps
