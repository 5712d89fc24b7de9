/// `cuzk-bench single`: one statement proved from beginning to end, stage by stage.
#pragma once

#include <CLI/CLI.hpp>

namespace cuzk::apps {

void add_single(CLI::App& program);

}  // namespace cuzk::apps
