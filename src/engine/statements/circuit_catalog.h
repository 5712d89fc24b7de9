/// The circuits that this program has, by id: each is compiled, or read from a cache of files, at its first use, and
/// kept.
#pragma once

#include <chrono>
#include <condition_variable>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "engine/statement.h"
#include "engine/statements/circuit_cache.h"
#include "keys/key_store.h"
#include "r1cs/circuit.h"

namespace cuzk::engine {

/// Threads: any may call any function. Two circuits compile side by side; one asked for twice compiles once.
class CircuitCatalog {
 public:
  explicit CircuitCatalog(CircuitCache cache = {}) : cache_(std::move(cache)) {}

  /// Throws Error: invalid_input for an id that does not exist or is not offered, naming those that are; cancelled as soon
  /// as `stop` is asked to, while the circuit is compiled for the next who asks.
  std::shared_ptr<const r1cs::Circuit> get(const std::string& circuit_id, std::stop_token stop = {});

  /// The circuits that are there, by id.
  std::vector<CircuitStatus> status() const;

  /// SHA-256 of the circuit's canonical stream, which takes seconds to minutes; the cache remembers it.
  Digest network_digest(const std::string& circuit_id);

  /// The same where the cache knows it.
  std::optional<Digest> known_network_digest(const std::string& circuit_id) const;

 private:
  /// A circuit, or one that is being compiled in a thread of its own. The mutex guards all but the thread.
  struct Entry {
    std::shared_ptr<const r1cs::Circuit> circuit;
    std::exception_ptr error;
    std::chrono::steady_clock::time_point used;  ///< when somebody asked for it last
    std::jthread compiling;
  };

  void compile_into(Entry& entry, const std::string& circuit_id);
  std::shared_ptr<const r1cs::Circuit> load_or_compile(const std::string& circuit_id) const;

  CircuitCache cache_;
  mutable std::mutex mutex_;
  std::condition_variable_any compiled_;
  std::map<std::string, Entry> circuits_;  // last: its threads use the others
};

/// Ids that CircuitCatalog::get takes: "toy", "porep-2k", ...
std::vector<std::string> circuit_ids();

/// Throws Error{invalid_input} for an id that does not exist, naming those that do.
void check_circuit_id(std::string_view circuit_id);

/// The names of a circuit's key files, as Filecoin names them; "toy.params" for the toy. Throws as CircuitCatalog::get.
keys::KeyFileNames key_file_names(std::string_view circuit_id);

}  // namespace cuzk::engine
