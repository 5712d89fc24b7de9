#include "server/engine_host.h"

#include <malloc.h>

#include <chrono>
#include <utility>

#include "base/page_pool.h"
#include "server/device_names.h"
#include "server/server_log.h"

namespace cuzk::server {

namespace {

std::unique_ptr<engine::Journal> open_journal(const Config& config) {
  const bool has_none = config.journal.empty() || config.farm.is_on();  // the farm's tables are the journal
  if (has_none) return nullptr;
  return std::make_unique<engine::Journal>(config.journal);
}

/// One for each device, the spare one last.
std::deque<keys::KeyStore> make_stores(const Config& config, const Backend& backend, keys::WarmFiles& warm) {
  std::deque<keys::KeyStore> stores;
  auto provers = backend.provers;
  if (backend.spare != nullptr) provers.push_back(backend.spare);
  for (auto* prover : provers) {
    stores.emplace_back(config.param_cache, backend.key_names, *prover, groth16::KeyCheck::points, config.digests,
                        &warm);
  }
  return stores;
}

engine::EngineDevice device_of(groth16::Prover& prover, keys::KeyStore& keys, const MemoryPlan& plan) {
  engine::EngineDevice device{.prover = prover, .keys = keys};
  if (is_processor(prover.device())) device.memory = {plan.processor, plan.urgent_processor};
  return device;
}

std::vector<engine::EngineDevice> devices_of(const Backend& backend, const MemoryPlan& plan,
                                             std::deque<keys::KeyStore>& stores) {
  std::vector<engine::EngineDevice> devices;
  for (std::size_t i = 0; i < backend.provers.size(); ++i)
    devices.push_back(device_of(*backend.provers[i], stores[i], plan));
  if (backend.spare != nullptr) {
    devices.push_back(device_of(*backend.spare, stores.back(), plan));
    devices.back().role = engine::EngineDevice::Role::spare;
  }
  return devices;
}

}  // namespace

EngineHost::KeptPages::KeptPages(u64 bytes) : ledger(bytes) { PagePool::shared().keep(bytes, &ledger); }
EngineHost::KeptPages::~KeptPages() { PagePool::shared().keep(0); }

EngineHost::EngineHost(const Config& config, const Backend& backend, OnEnd on_end)
    : config_(config),
      backend_(backend),
      kept_(server::kept_pages(config)),
      plan_(plan_memory(config, backend.provers)),
      warm_(plan_.warm_keys),
      stores_(make_stores(config, backend, warm_)),
      journal_(open_journal(config)),
      engine_(backend.decoder, devices_of(backend, plan_, stores_), options(std::move(on_end))) {}

engine::EngineOptions EngineHost::options(OnEnd on_end) const {
  auto options = config_.engine;
  options.policy.host_budget = plan_.host;
  options.policy.urgent_host = plan_.urgent_host;
  options.journal = journal_.get();
  options.on_idle = [] {
    if (const u64 bytes = PagePool::shared().release(); bytes != 0)
      log().info("idle: {} bytes of kept memory given back", bytes);
    malloc_trim(0);  // large messages come in small pieces, which malloc keeps in their hundreds of megabytes
  };
  options.on_end = std::move(on_end);
  return options;
}

std::string EngineHost::device_names() const {
  std::vector<std::string> names;
  for (const auto* prover : backend_.provers) names.push_back(prover->device().name);
  return fmt::format("{}", fmt::join(names, ", "));
}

void EngineHost::preload(const std::stop_token& stop) {
  using Copies = engine::Engine::Copies;
  for (const auto& circuit_id : config_.preload) preload(circuit_id, Copies::one, stop);
  if (backend_.provers.size() == 1) return;
  for (const auto& circuit_id : config_.preload) preload(circuit_id, Copies::all, stop);
}

void EngineHost::preload(const std::string& circuit_id, engine::Engine::Copies copies, const std::stop_token& stop) {
  if (stop.stop_requested()) return;
  const auto begin = engine::Clock::now();
  try {
    if (engine_.preload(circuit_id, copies, stop) == keys::KeyStore::Loaded::Source::store) return;
    const auto time = std::chrono::duration_cast<std::chrono::milliseconds>(engine::Clock::now() - begin);
    log().info("key of {} loaded in {} ms", circuit_id, time.count());
  } catch (const std::exception& error) {
    log().error("preload: {}", error.what());
  }
}

}  // namespace cuzk::server
