#include "server/key_tiers.h"

#include <algorithm>

#include "engine/statements/circuit_catalog.h"

namespace cuzk::server {

std::vector<keys::KeyFileStatus> key_tiers(const engine::EngineSnapshot& snapshot, const keys::KeyStore& store) {
  auto files = store.files(engine::circuit_ids());
  for (auto& file : files) {
    for (const auto& view : snapshot.devices) {
      const bool holds = std::ranges::find(view.keys, file.circuit_id, &keys::KeyStatus::circuit_id) != view.keys.end();
      if (holds) file.tier = keys::KeyFileStatus::Tier::hot;
    }
  }
  return files;
}

}  // namespace cuzk::server
