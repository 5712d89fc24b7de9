/// What every key of the configuration means, in the words that packaging/cuzk.toml and the reference have.
#pragma once

#include <string_view>
#include <vector>

namespace cuzk::server {

/// Keys that are told of together, all of one section.
struct ConfigTopic {
  std::vector<std::string_view> keys;  ///< "daemon.listen"
  std::string_view meaning;            ///< sentences
  std::string_view default_text = {};  ///< as TOML, where the real default depends on the machine
};

/// In the order in which people read them; every key that has an effect is in one topic.
const std::vector<ConfigTopic>& config_topics();

}  // namespace cuzk::server
