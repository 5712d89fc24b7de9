/// Proofs by the number that is made at a time: `cuzk-bench batch` (whole requests, in this process or by a daemon) and
/// `slotted-bench` (the partitions of one proof, by the number that is under way).
#pragma once

#include <CLI/CLI.hpp>

namespace cuzk::apps {

void add_batch(CLI::App& program);
void add_slotted_bench(CLI::App& program);

}  // namespace cuzk::apps
