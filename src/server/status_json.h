/// The JSON that existing dashboards poll: what an engine does and has at one moment.
#pragma once

#include <string>
#include <vector>

#include "base/machine_memory.h"
#include "engine/engine.h"
#include "keys/key_store.h"

namespace cuzk::server {

/// Everything that the JSON shows, at one moment.
struct StatusView {
  engine::EngineSnapshot engine;
  std::vector<keys::KeyFileStatus> keys;
  MachineMemory memory;
};

/// `store`: of any device; what it says of files holds for all.
StatusView status_view(const engine::Engine& engine, const keys::KeyStore& store);

std::string status_json(const StatusView& view);

}  // namespace cuzk::server
