/// `cuzk-bench tune`: sweeps what cuda/tuning.h holds for a GPU.
#pragma once

#include <CLI/CLI.hpp>

namespace cuzk::apps {

void add_tune(CLI::App& program);

}  // namespace cuzk::apps
