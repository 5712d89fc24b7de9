/// What the page of the daemon shows, as JSON values: one for each of its panels. web/src/types.ts says the same for the
/// page's side; numbers are bytes and milliseconds, times are since the start of the engine.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/machine_memory.h"
#include "base/memory_ledger.h"
#include "engine/engine.h"
#include "keys/key_store.h"
#include "server/machine_check.h"
#include "server/memory_plan.h"

namespace cuzk::server {

/// Everything that the page shows at one moment, but for the lanes' spans.
struct PageView {
  engine::EngineSnapshot engine;
  engine::Overview overview;
  std::vector<keys::KeyFileStatus> keys;
  MachineMemory memory;
  MemoryPlan plan;
  MemoryLedger::Snapshot kept;  ///< of pages that the process keeps
  std::vector<MachineCheck> checks;
  std::string machine;  ///< its name
};

/// "clock", "daemon", "queue", "lanes", "running", "waiting", "ended", "failures", "devices", "host", "keys", "doctor"
std::map<std::string, std::string> page_sections(const PageView& view);

/// [role, device, lane, stage, begin, end, subject, partition, together, how]; `engine` tells its times.
std::string span_json(const engine::LaneSpan& span, const engine::Engine& engine);

}  // namespace cuzk::server
