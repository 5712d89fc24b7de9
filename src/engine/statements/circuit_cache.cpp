#include "engine/statements/circuit_cache.h"

#include <cstdlib>
#include <system_error>

#include "base/error.h"
#include "base/hex.h"
#include "base/log.h"
#include "filecoin/circuit_digests.h"

namespace cuzk::engine {
namespace {

/// Binds a file to its circuit as well: a file that was renamed is of another maker.
Digest maker_of(const std::string& circuit_id) {
  const std::string text = kCircuitSources + (" " + circuit_id);
  return sha256({reinterpret_cast<const u8*>(text.data()), text.size()});
}

std::filesystem::path from_environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

}  // namespace

std::filesystem::path CircuitCache::file_of(const std::string& circuit_id) const {
  const auto digest = filecoin::known_circuit_digest(circuit_id);
  if (!digest) return directory_ / (circuit_id + ".circuit");
  return directory_ / fmt::format("{}-{}.circuit", circuit_id, to_hex(std::span(*digest).first(8)));
}

std::optional<r1cs::CircuitFile> CircuitCache::load(const std::string& circuit_id) const {
  if (directory_.empty()) return std::nullopt;
  try {
    return r1cs::read_circuit(file_of(circuit_id), maker_of(circuit_id));
  } catch (const Error& error) {
    const auto level = error.code() == Code::not_found ? spdlog::level::debug : spdlog::level::info;
    logger(LogModule::engine).log(level, "{}; the circuit is compiled again", error.what());
    return std::nullopt;
  }
}

void CircuitCache::store(const std::string& circuit_id, const r1cs::Circuit& circuit,
                         std::optional<Digest> network_digest) const {
  if (directory_.empty()) return;
  std::error_code ignored;  // writing then says what is wrong
  std::filesystem::create_directories(directory_, ignored);
  try {
    r1cs::write_circuit(file_of(circuit_id), circuit, {maker_of(circuit_id), network_digest});
  } catch (const Error& error) {
    logger(LogModule::engine).warn("the compiled circuit is not kept: {}", error.what());
  }
}

CircuitCache circuit_cache(const std::string& text) { return text == "off" ? CircuitCache() : CircuitCache(text); }

CircuitCache default_circuit_cache() {
  if (const auto named = from_environment("CUZK_CIRCUITS"); !named.empty()) return circuit_cache(named.string());
  if (const auto cache = from_environment("XDG_CACHE_HOME"); !cache.empty())
    return CircuitCache(cache / "cuzk/circuits");
  const auto home = from_environment("HOME");
  return home.empty() ? CircuitCache() : CircuitCache(home / ".cache/cuzk/circuits");
}

}  // namespace cuzk::engine
