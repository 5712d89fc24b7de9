#include "server/daemon.h"

#include <chrono>
#include <deque>
#include <memory>
#include <thread>

#include "base/error.h"
#include "base/page_pool.h"
#include "engine/journal/journal.h"
#include "server/device_names.h"
#include "server/file_limit.h"
#include "server/http_status.h"
#include "server/listeners.h"
#include "server/memory_plan.h"
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

/// Nothing where jobs are kept in memory alone.
std::unique_ptr<engine::Journal> open_journal(const Config& config) {
  if (!config.journal.empty()) return std::make_unique<engine::Journal>(config.journal);
  log().warn("jobs are kept in memory alone and are gone with this process: jobs.journal names no directory");
  return nullptr;
}

engine::EngineOptions options_of(const Config& config, const MemoryPlan& plan, Metrics& metrics,
                                 engine::Journal* journal) {
  auto options = config.engine;
  options.policy.host_budget = plan.host;
  options.policy.urgent_host = plan.urgent_host;
  options.journal = journal;
  options.on_idle = [] {
    if (const u64 bytes = PagePool::shared().release(); bytes != 0)
      log().info("idle: {} bytes of kept memory given back", bytes);
  };
  options.on_end = [&](engine::Kind kind, const engine::JobResult& result) { metrics.add(kind, result); };
  return options;
}

/// The devices of an engine, each with a store for its keys.
class Devices {
 public:
  Devices(const Config& config, const Backend& backend, const MemoryPlan& plan)
      : config_(config), backend_(backend), warm_(plan.warm_keys) {
    using Role = engine::EngineDevice::Role;
    for (auto* prover : backend.provers) add(*prover, plan, Role::regular);
    if (backend.spare != nullptr) add(*backend.spare, plan, Role::spare);
  }

  const std::vector<engine::EngineDevice>& all() const { return devices_; }

  /// A store of the directory's keys.
  const keys::KeyStore& store() const { return stores_.front(); }

  std::string names() const {
    std::vector<std::string> names;
    for (const auto* prover : backend_.provers) names.push_back(prover->device().name);
    return fmt::format("{}", fmt::join(names, ", "));
  }

 private:
  void add(groth16::Prover& prover, const MemoryPlan& plan, engine::EngineDevice::Role role) {
    auto& keys = stores_.emplace_back(config_.param_cache, backend_.key_names, prover, groth16::KeyCheck::points,
                                      config_.digests, &warm_);
    engine::EngineDevice device{.prover = prover, .keys = keys, .role = role};
    if (is_processor(prover.device())) {
      device.memory = plan.processor;
      device.urgent_memory = plan.urgent_processor;
    }
    devices_.push_back(device);
  }

  const Config& config_;
  const Backend& backend_;
  keys::WarmFiles warm_;
  std::deque<keys::KeyStore> stores_;
  std::vector<engine::EngineDevice> devices_;
};

/// Every key once first, then wherever there is room for a copy.
void preload(const Config& config, ProvingService& service, std::size_t devices) {
  using Copies = engine::Engine::Copies;
  for (const auto& circuit_id : config.preload) service.preload(circuit_id, Copies::one);
  if (devices == 1) return;
  for (const auto& circuit_id : config.preload) service.preload(circuit_id, Copies::all);
}

}  // namespace

void run_daemon(const Config& config, const Backend& backend, const Signals& signals, const ReadConfig& read_again) {
  check_access(config);  // before anything has begun
  allow_many_files();
  warn_of_unused_keys(config);
  PagePool::shared().keep(kept_pages(config));
  Metrics metrics;
  const MemoryPlan plan = plan_memory(config, backend.provers);
  Devices devices(config, backend, plan);
  const auto journal = open_journal(config);
  engine::Engine engine(backend.decoder, devices.all(), options_of(config, plan, metrics, journal.get()));
  ProvingService service(engine, devices.store(), metrics);
  Listeners listeners(config, service);
  const HttpServer http(config.status_listen, config.socket,
                        status_routes({engine, backend.decoder, devices.store(), metrics}));
  listeners.set_health(Listeners::Health::serving);
  log().info("keys from {}, proving on {}", config.param_cache.string(), devices.names());
  preload(config, service, backend.provers.size());
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
