/// An engine with everything that a configuration gives it: devices and their keys, memory, the journal. A daemon serves
/// it, a program has it in process.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "base/memory_ledger.h"
#include "engine/engine.h"
#include "engine/journal/journal.h"
#include "engine/statement.h"
#include "groth16/prover.h"
#include "keys/key_store.h"
#include "keys/warm_files.h"
#include "server/config.h"
#include "server/machine_check.h"
#include "server/memory_plan.h"

namespace cuzk::server {

/// What is proved with.
struct Backend {
  const engine::StatementDecoder& decoder;
  keys::KeyNames key_names;
  std::vector<groth16::Prover*> provers;  ///< one for each device, at least one
  groth16::Prover* spare = nullptr;       ///< proves once all of them are lost; null: none does
  ExamineMachine examine = {};            ///< for the page; empty: it says nothing of the machine
};

class EngineHost {
 public:
  using OnEnd = decltype(engine::EngineOptions::on_end);

  /// What is given must outlive it; `on_end` as in EngineOptions. From here on the engine works: a journal's jobs run.
  /// Keeps memory of witnesses for the process, as the configuration says. Throws Error: what Journal throws.
  EngineHost(const Config& config, const Backend& backend, OnEnd on_end = {});

  engine::Engine& engine() { return engine_; }

  /// A store of the directory's keys: what it says of files holds for all devices.
  const keys::KeyStore& keys() const { return stores_.front(); }

  const MemoryPlan& plan() const { return plan_; }

  /// Memory of witnesses that is kept for the next ones.
  MemoryLedger::Snapshot kept_pages() const { return kept_.ledger.snapshot(); }

  /// "cuda:0, cuda:1"
  std::string device_names() const;

  /// Loads the keys of srs.preload: every one once first, then wherever there is room for a copy. Logs what came of each.
  void preload(const std::stop_token& stop);

 private:
  void preload(const std::string& circuit_id, engine::Engine::Copies copies, const std::stop_token& stop);
  engine::EngineOptions options(OnEnd on_end) const;

  /// What the process keeps of memory, as long as it lives.
  struct KeptPages {
    explicit KeptPages(u64 bytes);
    ~KeptPages();
    KeptPages(const KeptPages&) = delete;
    KeptPages& operator=(const KeptPages&) = delete;

    MemoryLedger ledger;
  };

  const Config& config_;
  const Backend& backend_;
  const KeptPages kept_;
  const MemoryPlan plan_;
  keys::WarmFiles warm_;
  std::deque<keys::KeyStore> stores_;         // one for each device, the spare one last
  std::unique_ptr<engine::Journal> journal_;  // null: jobs are kept in memory alone
  engine::Engine engine_;
};

}  // namespace cuzk::server
