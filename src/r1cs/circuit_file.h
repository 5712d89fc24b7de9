/// Files of compiled circuits.
///
/// A file is a circuit's image (r1cs/circuit_image.h) with three digests in its header: a checksum of all its bytes, the
/// digest of the program text that made it, and the digest of the circuit's canonical stream where that is known. It is
/// read once when it is opened, and copied, so that nothing that happens to the file later reaches the circuit: 24 MB of
/// a 32 GiB partition take some 20 ms. A cache, not an exchange format: another byte order, another version or another maker is refused, and the circuit compiled again.
#pragma once

#include <filesystem>
#include <optional>

#include "hash/sha256.h"
#include "r1cs/circuit.h"

namespace cuzk::r1cs {

/// What a file says beside the circuit.
struct CircuitOrigin {
  Digest maker;                          ///< of the program text that compiled it
  std::optional<Digest> network_digest;  ///< of the canonical stream, once somebody streamed it
};

struct CircuitFile {
  Circuit circuit;
  CircuitOrigin origin;
};

/// Throws Error{not_found}, and Error{invalid_input} for a file that is damaged, out of bounds anywhere, of another format,
/// or of another maker than `maker`; the message names the file and the reason.
CircuitFile read_circuit(const std::filesystem::path& path, const Digest& maker);

/// The file appears whole or not at all, and replaces one that is there; processes that have read that one keep it. Throws
/// Error{resource_exhausted} naming the file when it cannot be written.
void write_circuit(const std::filesystem::path& path, const Circuit& circuit, const CircuitOrigin& origin);

}  // namespace cuzk::r1cs
