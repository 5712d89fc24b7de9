/// The daemon's configuration: a TOML file whose keys existing installations have.
///
/// A key that does not exist, a wrong type and an impossible value are errors that name file, line and key. Keys that
/// existing files hold but that this daemon has no use for are accepted and listed, so that the log can say so.
#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/log.h"
#include "base/types.h"
#include "engine/engine.h"
#include "engine/statements/circuit_cache.h"
#include "keys/key_store.h"

namespace cuzk::server {

struct Config {
  std::vector<std::string> listen{"unix:///run/curio/cuzk.sock"};     ///< daemon.listen: addresses, commas between
  std::filesystem::path param_cache = keys::default_key_directory();  ///< srs.param_cache
  std::vector<std::string> preload;                                   ///< srs.preload: ids of circuits that exist
  engine::CircuitCache circuits = engine::default_circuit_cache();    ///< circuits.cache: a directory, or "off"
  unsigned threads = 0;                                               ///< synthesis.threads; 0: all processors
  spdlog::level::level_enum log_level = spdlog::level::info;          ///< logging.level
  LogFormat log_format = LogFormat::text;                             ///< logging.format
  engine::EngineOptions engine;     ///< jobs.max_queued, max_queued_size, keep_count, keep_size, keep_time
  std::vector<std::string> unused;  ///< known keys of the file that have no effect, such as "memory.total_budget"
};

/// Throws Error{invalid_input} naming `source`, the line and the key.
Config parse_config(std::string_view toml, std::string_view source);

/// Throws also Error{not_found}.
Config read_config(const std::filesystem::path& path);

/// "unix:///path" or "host:port", several with commas. Throws Error{invalid_input} naming the one that is neither.
std::vector<std::string> parse_addresses(std::string_view text);

/// A number with B, KiB, MiB, GiB, TiB, KB, MB, GB, TB, or without a unit: bytes. Throws Error{invalid_input}.
u64 parse_size(std::string_view text);

/// A number with ms, s, m, h or d. Throws Error{invalid_input}.
std::chrono::milliseconds parse_duration(std::string_view text);

}  // namespace cuzk::server
