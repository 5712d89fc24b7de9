/// `farm`: what several machines that share one queue do.
#pragma once

#include <CLI/CLI.hpp>

#include "common/exit_status.h"

namespace cuzk::apps {

void add_farm(CLI::App& program, ExitStatus& status);

}  // namespace cuzk::apps
