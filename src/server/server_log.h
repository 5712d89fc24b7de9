/// The logs of the server: what the daemon does, and what calls it is asked.
#pragma once

#include "base/log.h"

namespace cuzk::server {

inline spdlog::logger& log() { return logger(LogModule::server); }
inline spdlog::logger& rpc_log() { return logger(LogModule::rpc); }

}  // namespace cuzk::server
