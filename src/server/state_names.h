/// What status answers and the page call the states of devices and keys.
#pragma once

#include <string_view>

#include "engine/engine.h"
#include "keys/key_store.h"

namespace cuzk::server {

inline std::string_view state_name(engine::DeviceLanes::State state) {
  switch (state) {
    case engine::DeviceLanes::State::active: return "active";
    case engine::DeviceLanes::State::spare: return "spare";
    default: return "lost";
  }
}

inline std::string_view tier_name(keys::KeyFileStatus::Tier tier) {
  switch (tier) {
    case keys::KeyFileStatus::Tier::hot: return "hot";
    case keys::KeyFileStatus::Tier::warm: return "warm";
    default: return "cold";
  }
}

}  // namespace cuzk::server
