/// The engine's counts in the text format of Prometheus, under the names that existing dashboards read.
#pragma once

#include <string>

#include "engine/engine.h"

namespace cuzk::server {

/// workers: devices that prove.
std::string prometheus_text(const engine::EngineSnapshot& snapshot, unsigned workers);

}  // namespace cuzk::server
