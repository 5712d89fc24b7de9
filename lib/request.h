/// Requests of the C interface.
#pragma once

#include "cuzk.h"
#include "engine/request.h"

namespace cuzk::lib {

/// Copies what the caller has. Throws Error{invalid_input} naming the member: a size of the struct that is not known, a
/// kind or a priority that does not exist, NULL with a size.
engine::ProofRequest read_request(const cuzk_request& request);

}  // namespace cuzk::lib
