/// What comes before a proof: `cuzk-bench synth-only` (decoding, witness, a b c), `pce-bench` (the compiled circuit: build,
/// load, evaluate) and `pce-pipeline` (several partitions at a time). None of them needs a key or a device.
#pragma once

#include <CLI/CLI.hpp>

namespace cuzk::apps {

void add_synth_only(CLI::App& program);
void add_pce_bench(CLI::App& program);
void add_pce_pipeline(CLI::App& program);

}  // namespace cuzk::apps
