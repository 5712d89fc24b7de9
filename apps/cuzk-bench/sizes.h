/// Sizes that are powers of two, and elements to compute with.
#pragma once

#include <CLI/CLI.hpp>
#include <vector>

#include "field/fr.h"

namespace cuzk::apps {

struct SizeOptions {
  unsigned from, to, step = 2;  ///< logarithms
};

/// Adds --from, --to and --step. `most`: the largest logarithm that is taken.
void add_size_options(CLI::App& command, SizeOptions& sizes, int most);

/// 2^from, 2^(from + step), ... as far as 2^to. Throws Error{invalid_input} when from is more than to.
std::vector<std::size_t> sizes_of(const SizeOptions& sizes);

/// So many different scalars; the same in every run.
std::vector<Fr> scalars(std::size_t count);

}  // namespace cuzk::apps
