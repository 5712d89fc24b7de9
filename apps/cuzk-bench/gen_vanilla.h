/// `cuzk-bench gen-vanilla`: vanilla proofs of sparse sectors, as bench scripts take them: a JSON array of base64 strings.
#pragma once

#include <CLI/CLI.hpp>

namespace cuzk::apps {

void add_gen_vanilla(CLI::App& program);

}  // namespace cuzk::apps
