/// `cuzk-bench field`: single operations in Fr, Fp, Fp2, and on points.
#pragma once

#include <CLI/CLI.hpp>

namespace cuzk::apps {

void add_field(CLI::App& program);

}  // namespace cuzk::apps
