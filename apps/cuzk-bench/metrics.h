/// `cuzk-bench metrics`: a daemon's metrics as it tells them over gRPC.
#pragma once

#include <CLI/CLI.hpp>

namespace cuzk::apps {

void add_metrics(CLI::App& program);

}  // namespace cuzk::apps
