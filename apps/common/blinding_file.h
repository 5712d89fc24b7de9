/// Files of r and s that everyone may know, for tests: those of Filecoin's proofs in the test vectors.
///
/// JSON {"partitions":[{"public_inputs":[...],"proofs":[{"r","s"}, ...]}, ...]} with scalars of 32 bytes in little-endian
/// hex, ONE not among the inputs; of several proofs the first counts.
#pragma once

#ifdef CUZK_INSECURE

#include <map>
#include <span>
#include <string>

#include "field/fr.h"

namespace cuzk::apps {

struct KnownBlinding {
  Fr r, s;
};

/// By the public inputs of a statement, as known_by() gives them.
using KnownBlindings = std::map<std::string, KnownBlinding>;

/// The bytes of all public inputs, ONE left out.
std::string known_by(std::span<const Fr> public_inputs);

/// Adds what the file holds. Throws Error{invalid_input} naming file and field; not_found.
void read_blindings(const std::string& path, KnownBlindings& blindings);

}  // namespace cuzk::apps

#endif
