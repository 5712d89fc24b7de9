/// What is known of the network's own key files.
#pragma once

#include <string_view>

#include "filecoin/circuit_name.h"

namespace cuzk::filecoin {

/// The digest that Filecoin's parameters.json has of a circuit's .params file: the first 16 bytes of its BLAKE2b-512, in
/// hex. Empty where the network has no such key.
std::string_view network_params_digest(const CircuitName& circuit);

}  // namespace cuzk::filecoin
