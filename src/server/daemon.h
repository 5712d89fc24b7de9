/// The daemon: listeners, health, reflection, and its life from the first address to the last answer.
#pragma once

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
  groth16::Prover& prover;
};

/// Serves until SIGTERM or SIGINT. The first one drains: no new jobs, those that were accepted are finished and
/// answered. The second one cancels them. Throws Error when it cannot listen, naming the address and the reason.
void run_daemon(const Config& config, const Backend& backend, const Signals& signals);

}  // namespace cuzk::server
