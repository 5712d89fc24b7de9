/// Checks of what stands on the command line: what does not pass is wrong use, not work that failed.
#pragma once

#include <CLI/CLI.hpp>

namespace cuzk::apps {

/// The id of a circuit that exists.
CLI::Validator circuit_id();

/// "unix:///path" or "host:port", or several with commas. In a build without gRPC everything passes: nothing can be
/// reached anyway.
CLI::Validator one_address();
CLI::Validator addresses();

/// "trace", ..., "off".
CLI::Validator log_level_name();

}  // namespace cuzk::apps
