#include "server/daemon.h"

#include <chrono>
#include <thread>

#include "base/error.h"
#include "server/file_limit.h"
#include "server/http_status.h"
#include "server/listeners.h"
#include "server/metrics.h"
#include "server/proving_service.h"
#include "server/reload.h"
#include "server/service_manager.h"

namespace cuzk::server {

namespace {

/// After the last job has ended: time for the answers to reach their callers.
constexpr auto kAnswersGetOut = std::chrono::seconds(5);

/// After the last answer: gRPC would wait for clients to close connections that they do not look at.
constexpr auto kConnectionsClose = std::chrono::milliseconds(100);

spdlog::logger& log() { return logger(LogModule::server); }

/// Waits for the end of the first signal that ends the daemon; reloads at each SIGHUP before.
int wait_for_end(const Signals& signals, Reload& reload) {
  for (;;) {
    const int number = signals.wait();
    if (number != SIGHUP) return number;
    notify_reloading();
    reload.run();
    notify_service_manager("READY=1");
  }
}

/// Waits until every job has ended or another signal comes.
void drain(engine::Engine& engine, const Signals& signals) {
  std::stop_source hurry;
  const std::jthread second([&](const std::stop_token& stop) {
    int number = signals.wait(stop);
    while (number == SIGHUP) number = signals.wait(stop);  // there is nothing left to configure
    if (number == 0) return;
    log().warn("second signal: jobs that have not ended are cancelled");
    hurry.request_stop();
  });
  engine.drain(hurry.get_token());
  if (hurry.stop_requested()) engine.stop();
}

void warn_of_unused_keys(const Config& config) {
  for (const auto& key : config.unused) log().warn("configuration: {} has no effect in this version", key);
}

}  // namespace

void run_daemon(const Config& config, const Backend& backend, const Signals& signals, const ReadConfig& read_again) {
  check_access(config);  // before anything has begun
  allow_many_files();
  warn_of_unused_keys(config);
  Metrics metrics;
  EngineHost host(config, backend,
                  [&](engine::Kind kind, const engine::JobResult& result) { metrics.add(kind, result); });
  engine::Engine& engine = host.engine();
  ProvingService service(engine, host.keys(), metrics);
  Listeners listeners(config, service);
  const HttpServer http(config.status_listen, config.socket,
                        status_routes({engine, backend.decoder, host.keys(), metrics}));
  listeners.set_health(Listeners::Health::serving);
  log().info("keys from {}, proving on {}", config.param_cache.string(), host.device_names());
  service.load([&host](const std::stop_token& stop) { host.preload(stop); });
  notify_service_manager("READY=1");
  Reload reload(config, engine, listeners, read_again);
  const int signal = wait_for_end(signals, reload);
  log().info("signal {}: draining, a second one stops at once", signal);
  notify_service_manager("STOPPING=1\nSTATUS=draining");
  listeners.set_health(Listeners::Health::not_serving);
  drain(engine, signals);
  service.stop_loading();
  service.wait_for_answers(kAnswersGetOut);
  listeners.stop(kConnectionsClose);
  log().info("stopped");
}

}  // namespace cuzk::server
