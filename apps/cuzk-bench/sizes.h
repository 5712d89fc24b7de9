/// Sizes that are powers of two, and what all measurements of arithmetic by size share.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "measure/options.h"

namespace cuzk::apps {

struct SizeOptions {
  unsigned from, to, step = 2;  ///< logarithms
};

struct ArithmeticOptions {
  measure::MeasureOptions measure = {};
  SizeOptions sizes;
  std::string device = "cpu";  ///< or "cuda"
};

/// Adds --from, --to, --step, --device, and those of every measurement. `most`: the largest logarithm that is taken. The
/// options must outlive the command.
void add_arithmetic_options(CLI::App& command, ArithmeticOptions& options, int most);

/// 2^from, 2^(from + step), ... as far as 2^to. Throws Error{invalid_input} when from is more than to.
std::vector<std::size_t> sizes_of(const SizeOptions& sizes);

}  // namespace cuzk::apps
