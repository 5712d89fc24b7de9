/// Whose key a request will need, and how many partitions it has, as far as its numbers say; the input itself is not read.
#pragma once

#include <string>

#include "engine/request.h"

namespace cuzk::farm {

/// Such as "porep-32g"; empty where nothing says it. Only a hint: a wrong one costs a key's loading and nothing else.
std::string key_hint(const engine::ProofInput& input);

/// 1 where nothing says it. Only a hint: who shares a job by a wrong one is told so, and the job is proved by one machine.
u32 partitions_hint(const engine::ProofInput& input);

}  // namespace cuzk::farm
