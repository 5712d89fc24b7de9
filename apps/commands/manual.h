/// The hidden command `manual` of every program: its own --help as manual pages, completion and reference.
#pragma once

#include <CLI/CLI.hpp>

#include "common/manual/manual.h"

namespace cuzk::apps {

/// Last of all commands: it shows those that are there when it runs.
void add_manual(CLI::App& program, const std::vector<ProgramAlias>& aliases);

}  // namespace cuzk::apps
