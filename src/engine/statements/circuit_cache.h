/// A directory of compiled circuits: DIRECTORY/porep-32g-a88abba246a3b655.circuit and so on, named by the circuit and what its
/// digest begins with; a circuit that is not the network's has no digest in its name.
///
/// A file is taken only if it is whole (checksum), in bounds everywhere, of this circuit and made by a program of the
/// same text as this one; else the circuit is compiled again, which takes half a second for the largest, and the file
/// replaced. Files are optional: what goes wrong with them is logged, never thrown. Any number of processes may share a
/// directory.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "hash/sha256.h"
#include "r1cs/circuit_file.h"

namespace cuzk::engine {

/// SHA-256, in hex, of the text of the rooms that decide what a circuit is; found when this program was built.
extern const char* const kCircuitSources;

class CircuitCache {
 public:
  /// No files.
  CircuitCache() = default;
  /// Made when the first file is written.
  explicit CircuitCache(std::filesystem::path directory) : directory_(std::move(directory)) {}

  /// Nothing where no file can be taken.
  std::optional<r1cs::CircuitFile> load(const std::string& circuit_id) const;

  /// network_digest: of the canonical stream, where somebody computed it.
  void store(const std::string& circuit_id, const r1cs::Circuit& circuit,
             std::optional<Digest> network_digest = {}) const;

  /// The directory, or "off": what circuit_cache() takes.
  std::string text() const { return directory_.empty() ? "off" : directory_.string(); }

  /// Where a circuit's file is or will be; for a cache that has a directory.
  std::filesystem::path file_of(const std::string& circuit_id) const;

 private:

  std::filesystem::path directory_;  // empty: none
};

/// What the environment variable CUZK_CIRCUITS names; "off" is no directory. Without it $XDG_CACHE_HOME/cuzk/circuits or
/// ~/.cache/cuzk/circuits, and none where there is no home.
CircuitCache default_circuit_cache();

/// The cache that a text names: a directory, or "off".
CircuitCache circuit_cache(const std::string& text);

}  // namespace cuzk::engine
