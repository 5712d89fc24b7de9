/// `cuzk-bench report`: results of several runs as one table, one file, one page.
#pragma once

#include <CLI/CLI.hpp>

namespace cuzk::apps {

void add_report(CLI::App& program);

}  // namespace cuzk::apps
