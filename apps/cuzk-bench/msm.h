/// `cuzk-bench msm`: multi-scalar products, sums of bits and multiples of one point, by size.
#pragma once

#include <CLI/CLI.hpp>

namespace cuzk::apps {

void add_msm(CLI::App& program);

}  // namespace cuzk::apps
