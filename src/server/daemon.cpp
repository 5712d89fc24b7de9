#include "server/daemon.h"

#include <unistd.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "base/error.h"
#include "farm/farm.h"
#include "server/engine_desk.h"
#include "server/file_limit.h"
#include "server/http_status.h"
#include "server/listeners.h"
#include "server/metrics.h"
#include "server/page.h"
#include "server/page_source.h"
#include "server/proving_service.h"
#include "server/reload.h"
#include "server/server_log.h"
#include "server/service_manager.h"

namespace cuzk::server {

namespace {

/// After the last job has ended: time for the answers to reach their callers.
constexpr auto kAnswersGetOut = std::chrono::milliseconds(5000);

/// After the last answer: gRPC would wait for clients to close connections that they do not look at.
constexpr auto kConnectionsClose = std::chrono::milliseconds(100);

/// Seconds after the end of the parent.
constexpr unsigned kEndsWithin = 10;

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

/// Nobody waits for the answers any more. Whatever hangs, the kernel ends this process when the alarm comes; a journal
/// has the jobs then.
void end_with_parent(engine::Engine& engine) {
  log().warn("the parent has ended: stopping at once, jobs that have not ended are cancelled");
  ::alarm(kEndsWithin);
  engine.stop();
}

/// Waits until every job has ended or another signal comes.
void drain(engine::Engine& engine, const Signals& signals) {
  std::stop_source hurry;
  std::atomic<int> second = 0;
  {
    const std::jthread watch([&](const std::stop_token& stop) {
      int number = signals.wait(stop);
      while (number == SIGHUP) number = signals.wait(stop);  // there is nothing left to configure
      second = number;
      if (number != 0) hurry.request_stop();
    });
    engine.drain(hurry.get_token());
  }
  if (second == Signals::kParentEnded) return end_with_parent(engine);
  if (second == 0) return;
  log().warn("second signal: jobs that have not ended are cancelled");
  engine.stop();
}

/// Ends the jobs as the event asks for it, and returns how long answers may take to reach their callers.
std::chrono::milliseconds finish_jobs(int event, engine::Engine& engine, const Signals& signals) {
  if (event == Signals::kParentEnded) {
    end_with_parent(engine);
    return kConnectionsClose;
  }
  log().info("signal {}: draining, a second one stops at once", event);
  drain(engine, signals);
  return kAnswersGetOut;
}

std::vector<HttpRoute> joined(std::vector<HttpRoute> routes, const std::vector<HttpRoute>& more) {
  routes.insert(routes.end(), more.begin(), more.end());
  return routes;
}

void warn(const Config& config) {
  if (config.journal.empty() && !config.farm.is_on())
    log().warn("jobs are kept in memory alone and are gone with this process: jobs.journal names no directory");
  for (const auto& key : config.unused) log().warn("configuration: {} has no effect in this version", key);
}

}  // namespace

void run_daemon(const Config& config, const Backend& backend, const Signals& signals, const ReadConfig& read_again,
                const Launch& launch) {
  check_access(config);  // before anything has begun
  allow_many_files();
  warn(config);
  Metrics metrics;
  EngineHost host(config, backend,
                  [&](engine::Kind kind, const engine::JobResult& result) { metrics.add(kind, result); });
  engine::Engine& engine = host.engine();
  const auto farm = config.farm.is_on() ? farm::join_farm(config.farm, engine, backend.decoder) : nullptr;
  EngineDesk own(engine);
  farm::JobDesk& desk = farm != nullptr ? static_cast<farm::JobDesk&>(*farm) : own;
  ProvingService service(engine, desk, host.keys(), metrics);
  Listeners listeners(config, service, launch.socket);
  PageSource page(host, backend.examine);
  EventStream events([&page] { return page.next(); });
  const HttpServer http(
      config.status_listen, config.socket,
      joined(status_routes({engine, backend.decoder, host.keys(), metrics, farm.get()}), page_routes(events)),
      page_streams(events));
  listeners.set_health(Listeners::Health::serving, backend.decoder);
  log().info("keys from {}, proving on {}", config.param_cache.string(), host.device_names());
  service.load([&host](const std::stop_token& stop) { host.preload(stop); });
  notify_service_manager("READY=1");
  Reload reload(config, engine, listeners, read_again);
  if (launch.on_ready) launch.on_ready(listeners.addresses());
  const int event = wait_for_end(signals, reload);
  notify_service_manager("STOPPING=1\nSTATUS=draining");
  listeners.set_health(Listeners::Health::not_serving, backend.decoder);
  const auto patience = finish_jobs(event, engine, signals);
  if (farm != nullptr) farm->stop(patience);
  service.stop_loading();
  service.wait_for_answers(patience);
  listeners.stop(kConnectionsClose);
  events.close();
  log().info("stopped");
}

}  // namespace cuzk::server
