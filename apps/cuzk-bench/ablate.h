/// `cuzk-bench ablate`: what each optimization is worth.
#pragma once

#include <CLI/CLI.hpp>

namespace cuzk::apps {

void add_ablate(CLI::App& program);

}  // namespace cuzk::apps
