/// Whose key a request will need, as far as its numbers say; the input itself is not read.
#pragma once

#include <string>

#include "engine/request.h"

namespace cuzk::farm {

/// Such as "porep-32g"; empty where nothing says it. Only a hint: a wrong one costs a key's loading and nothing else.
std::string key_hint(const engine::ProofInput& input);

}  // namespace cuzk::farm
