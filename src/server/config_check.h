/// What `cuzk serve --check` says: whether a daemon would start with a configuration, on this machine, now.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "server/config.h"

namespace cuzk::server {

struct Finding {
  enum class Level { ok, warn, fail } level;
  std::string text;
};

/// A line for each device that would prove, such as "cuda:0: NVIDIA H200, 139 of 140 GiB free"; throws where one is not
/// there.
using DeviceLines = std::function<std::vector<std::string>()>;

/// Looks at addresses, sockets, certificates, tokens, directories, files of keys and devices without changing anything.
/// With a fail the daemon would not start; a warn is what may not be meant so.
std::vector<Finding> check_machine(const Config& config, const keys::KeyNames& key_names, const DeviceLines& devices);

/// Every key and the value that it would have, as a TOML file holds them.
std::string effective_config(const Config& config);

}  // namespace cuzk::server
