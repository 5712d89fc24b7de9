/// The daemon: its life from the first address to the last answer.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "server/config.h"
#include "server/engine_host.h"
#include "server/inherited_socket.h"
#include "server/signals.h"

namespace cuzk::server {

/// Reads the configuration again, as it was read at the start. Throws Error.
using ReadConfig = std::function<Config()>;

/// What the one who started a daemon gave it, beside the configuration.
struct Launch {
  const InheritedSocket* socket = nullptr;  ///< where it listens too; null: at daemon.listen alone

  /// Told once the addresses answer, by their names; empty: nobody is told. Must not throw.
  std::function<void(const std::vector<std::string>& addresses)> on_ready;
};

/// Serves until SIGTERM or SIGINT. The first one drains: no new jobs, those that were accepted are finished and
/// answered. The second one cancels them, as the end of the parent does, where `signals` watch it: then the daemon ends at
/// once, within ten seconds in any case. SIGHUP reads the configuration, tokens and certificates again: what can change
/// does, the log says what needs a restart, and a configuration with a fault changes nothing. Throws Error when it
/// cannot listen, naming the address and the reason.
void run_daemon(const Config& config, const Backend& backend, const Signals& signals, const ReadConfig& read_again,
                const Launch& launch = {});

}  // namespace cuzk::server
