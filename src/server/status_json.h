/// The JSON that existing dashboards poll: what an engine does and has at one moment.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/json_object.h"
#include "base/machine_memory.h"
#include "engine/engine.h"
#include "farm/farm_health.h"
#include "keys/key_store.h"

namespace cuzk::server {

/// Everything that the JSON shows, at one moment.
struct StatusView {
  engine::EngineSnapshot engine;
  std::vector<keys::KeyFileStatus> keys;
  MachineMemory memory;
  std::optional<farm::FarmHealth::State> farm{};  ///< nothing: the daemon is in none
};

/// `store`: of any device; what it says of files holds for all.
StatusView status_view(const engine::Engine& engine, const keys::KeyStore& store);

/// Whether a farm's database is there, and why not.
JsonObject farm_object(const farm::FarmHealth::State& farm);

std::string status_json(const StatusView& view);

}  // namespace cuzk::server
