/// `cuzk-bench stress`: many clients of one daemon at once; how long they wait, what the daemon holds meanwhile.
#pragma once

#include <CLI/CLI.hpp>

#include "common/exit_status.h"

namespace cuzk::apps {

void add_stress(CLI::App& program, ExitStatus& status);

}  // namespace cuzk::apps
