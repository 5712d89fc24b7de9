/// From options to a connection.
#pragma once

#include "common/connection_options.h"
#include "server/channel.h"

namespace cuzk::apps {

inline server::Connection connection_of(const ConnectionOptions& options) {
  return {options.connect, options.ca, options.cert, options.key, options.token_file};
}

}  // namespace cuzk::apps
