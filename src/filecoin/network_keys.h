/// What is known of the network's own key files.
#pragma once

#include <string_view>

#include "base/types.h"
#include "filecoin/circuit_name.h"

namespace cuzk::filecoin {

/// The digest that Filecoin's parameters.json has of a circuit's .params file: the first 16 bytes of its BLAKE2b-512, in
/// hex. Empty where the network has no such key.
std::string_view network_params_digest(const CircuitName& circuit);

/// The bytes of the network's .params file with a digest; 0 where the network has none.
u64 network_params_bytes(std::string_view digest);

}  // namespace cuzk::filecoin
