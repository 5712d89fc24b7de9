/// The daemon's state over HTTP: what dashboards, Prometheus and orchestrators ask for.
///
///   /status, /status/...   the JSON that existing dashboards poll
///   /metrics               Prometheus (metrics.h)
///   /healthz               200 as long as the process answers
///   /trace/JOB             the spans of a job that runs or has ended, for chrome://tracing or ui.perfetto.dev
///   /readyz                200 when new jobs are taken, 503 when not (draining, a farm whose database is gone); /readyz/KIND for one kind, such as "window-post"
#pragma once

#include <string>
#include <vector>

#include "engine/engine.h"
#include "engine/statement.h"
#include "farm/farm.h"
#include "keys/key_store.h"
#include "server/http_server.h"
#include "server/metrics.h"

namespace cuzk::server {

/// What is asked must outlive the routes.
struct StatusSources {
  const engine::Engine& engine;
  const engine::StatementDecoder& decoder;
  const keys::KeyStore& keys;  ///< of any device: what it says of files holds for all
  const Metrics& metrics;
  const farm::Farm* farm = nullptr;  ///< null: none
};

std::vector<HttpRoute> status_routes(const StatusSources& sources);

}  // namespace cuzk::server
