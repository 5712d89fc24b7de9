/// The table of every key that a configuration may have: one place for reading, showing and documenting them.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "server/config.h"

namespace cuzk::server {

struct ConfigKey {
  std::string name;  ///< "daemon.listen"
  std::function<void(Config&, const ConfigValue&)> set;
  std::function<std::string(const Config&)> show;  ///< as TOML; empty for a key without effect
  enum class Change { at_reload, at_restart } change = Change::at_restart;
};

/// In the order in which people read them.
const std::vector<ConfigKey>& config_keys();

/// Null where there is none.
const ConfigKey* find_key(std::string_view name);

bool is_section(std::string_view name);

/// ", did you mean X?" with the key or section that is spelt most like it; empty where none is near.
std::string key_hint(std::string_view name);
std::string section_hint(std::string_view name);

/// The keys whose values differ between two configurations.
std::vector<const ConfigKey*> differences(const Config& a, const Config& b);

}  // namespace cuzk::server
