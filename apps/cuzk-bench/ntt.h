/// `cuzk-bench ntt`: transforms and the quotient, by size.
#pragma once

#include <CLI/CLI.hpp>

namespace cuzk::apps {

void add_ntt(CLI::App& program);

}  // namespace cuzk::apps
