/// The daemon: its life from the first address to the last answer.
#pragma once

#include <functional>
#include <vector>

#include "engine/statement.h"
#include "groth16/prover.h"
#include "keys/key_store.h"
#include "server/config.h"
#include "server/signals.h"

namespace cuzk::server {

/// What the daemon proves with.
struct Backend {
  const engine::StatementDecoder& decoder;
  keys::KeyNames key_names;
  std::vector<groth16::Prover*> provers;  ///< one for each device, at least one
  groth16::Prover* spare = nullptr;       ///< proves once all of them are lost; null: none does
};

/// Reads the configuration again, as it was read at the start. Throws Error.
using ReadConfig = std::function<Config()>;

/// Serves until SIGTERM or SIGINT. The first one drains: no new jobs, those that were accepted are finished and
/// answered. The second one cancels them. SIGHUP reads the configuration, tokens and certificates again: what can change
/// does, the log says what needs a restart, and a configuration with a fault changes nothing. Throws Error when it
/// cannot listen, naming the address and the reason.
void run_daemon(const Config& config, const Backend& backend, const Signals& signals, const ReadConfig& read_again);

}  // namespace cuzk::server
