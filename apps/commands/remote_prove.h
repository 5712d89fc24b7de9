/// Proving by a daemon.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/types.h"
#include "common/connection_options.h"
#include "engine/request.h"

namespace cuzk::apps {

struct FinishedProof {
  std::vector<u8> bytes;                                   ///< 192 for each partition
  std::vector<std::pair<std::string, double>> timings_ms;  ///< by stage
};

/// Waits for the daemon's answer. Throws Error with the daemon's message; unavailable in a build without gRPC.
FinishedProof prove_remotely(const ConnectionOptions& daemon, engine::ProofInput input, const std::string& request_id);

}  // namespace cuzk::apps
