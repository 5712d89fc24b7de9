/// Where the keys of a daemon are: on a device, in the page cache, or on the disk.
#pragma once

#include <vector>

#include "engine/engine.h"
#include "keys/key_store.h"

namespace cuzk::server {

/// Every key whose file is in the store's directory; hot: some device of the engine holds it.
std::vector<keys::KeyFileStatus> key_tiers(const engine::EngineSnapshot& snapshot, const keys::KeyStore& store);

}  // namespace cuzk::server
