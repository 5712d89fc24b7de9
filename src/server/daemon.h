/// The daemon: its life from the first address to the last answer.
#pragma once

#include <functional>

#include "server/config.h"
#include "server/engine_host.h"
#include "server/signals.h"

namespace cuzk::server {

/// Reads the configuration again, as it was read at the start. Throws Error.
using ReadConfig = std::function<Config()>;

/// Serves until SIGTERM or SIGINT. The first one drains: no new jobs, those that were accepted are finished and
/// answered. The second one cancels them. SIGHUP reads the configuration, tokens and certificates again: what can change
/// does, the log says what needs a restart, and a configuration with a fault changes nothing. Throws Error when it
/// cannot listen, naming the address and the reason.
void run_daemon(const Config& config, const Backend& backend, const Signals& signals, const ReadConfig& read_again);

}  // namespace cuzk::server
