/// `cuzk import` and `cuzk export`, as commands.h has the others.
#pragma once

#include <CLI/CLI.hpp>

#include "common/exit_status.h"

namespace cuzk::apps {

void add_export(CLI::App& program, ExitStatus& status);
void add_import(CLI::App& program, ExitStatus& status);

}  // namespace cuzk::apps
