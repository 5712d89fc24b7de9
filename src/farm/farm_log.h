/// The log of a farm's machines: the server's.
#pragma once

#include "base/log.h"

namespace cuzk::farm {

inline spdlog::logger& log() { return logger(LogModule::server); }

}  // namespace cuzk::farm
