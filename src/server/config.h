/// The daemon's configuration: a TOML file whose keys existing installations have, environment variables above it, options
/// above those. packaging/cuzk.toml holds every key with its default and what it means.
///
/// A key that does not exist, a wrong type and an impossible value are errors that name file, line and key. Keys that
/// existing files hold but that this daemon has no use for are accepted and listed, so that the log can say so.
#pragma once

#include <sys/stat.h>

#include <chrono>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/log.h"
#include "base/types.h"
#include "engine/engine.h"
#include "engine/statements/circuit_cache.h"
#include "farm/farm_options.h"
#include "keys/key_store.h"
#include "server/address.h"
#include "server/config_value.h"
#include "server/wire.h"

namespace cuzk::server {

/// Who may connect to a unix socket.
struct SocketAccess {
  mode_t mode = 0660;        ///< daemon.socket_mode
  std::string owner, group;  ///< daemon.socket_owner, daemon.socket_group: names; empty: the process's own
};

/// Files of TLS, which is used on every TCP address of gRPC when a certificate is given.
struct TlsFiles {
  std::filesystem::path certificate, key;             ///< tls.certificate, tls.key: PEM, a chain and its key
  std::filesystem::path client_ca;                    ///< tls.client_ca: clients must show a certificate of it
  std::filesystem::path client_crls;                  ///< tls.client_crls: folder of the lists of revoked ones
  std::filesystem::path token_file;                   ///< tls.token_file: clients must send one of its tokens
  std::chrono::milliseconds reload_interval{30'000};  ///< tls.reload_interval: how often the files are looked at
};

/// How connections are kept and bounded.
struct Transport {
  u64 max_message_bytes = kMaxMessageBytes;             ///< daemon.max_message_size
  std::chrono::milliseconds keepalive_time{120'000};    ///< daemon.keepalive_time: silence before a client is asked
  std::chrono::milliseconds keepalive_timeout{20'000};  ///< daemon.keepalive_timeout: how long it has to answer
};

/// journal below the directory of state that systemd gives a service; empty where it gives none.
std::filesystem::path default_journal_directory();

struct Config {
  std::vector<std::string> listen{"unix:///run/curio/cuzk.sock"};  ///< daemon.listen: addresses, commas between
  std::vector<std::string> status_listen;                          ///< daemon.status_listen: of HTTP; none: no HTTP
  bool status_public = false;  ///< daemon.status_public: status_listen may be reached by other machines
  bool insecure = false;       ///< daemon.insecure: TCP may go without TLS or without authentication
  SocketAccess socket;
  TlsFiles tls;
  Transport transport;
  std::filesystem::path param_cache = keys::default_key_directory();  ///< srs.param_cache
  keys::DigestMemory digests = keys::default_digest_memory();         ///< srs.digests: a directory, or "off"
  std::optional<u64> warm_budget;    ///< srs.warm_budget; nothing: a part of the machine's memory
  std::vector<std::string> preload;  ///< srs.preload: ids of circuits that exist
  engine::CircuitCache circuits = engine::default_circuit_cache();  ///< circuits.cache: a directory, or "off"
  std::vector<std::string> devices;  ///< gpus.devices: "cpu" or "cuda:0", ...; none: all GPUs
  std::optional<u64> gpu_memory;     ///< gpus.memory: bytes to use of each; nothing: nine tenths of what is free
  unsigned threads = 0;              ///< synthesis.threads; 0: all processors
  LogSettings log;                   ///< logging.level, logging.format, logging.modules
  engine::EngineOptions engine;      ///< jobs.max_queued, max_queued_size, keep_*; scheduler
  std::filesystem::path journal = default_journal_directory();  ///< jobs.journal; empty: jobs are kept in memory alone
  farm::FarmOptions farm;                                       ///< farm.*; on: jobs.journal has no effect
  std::optional<u64> memory_budget;                             ///< memory.total_budget; nothing: what the machine has
  u64 memory_margin = u64{5} << 30;  ///< memory.safety_margin: of the machine, left to others
  u64 keep_pages = u64{4} << 30;     ///< memory.keep_pages: of witnesses that have ended, for the next
  std::vector<std::string> unused;   ///< known keys that were given and have no effect, such as "memory.total_budget"
};

/// A value that stands above the file, and where it comes from: "--listen", "environment CUZK_DAEMON_LISTEN".
struct Override {
  std::string key, value, source;
};

/// What stands in no file keeps its value of `defaults`. Throws Error{invalid_input} naming `source`, the line and the key.
Config parse_config(std::string_view toml, std::string_view source, Config defaults = {});

/// Throws also Error{not_found}.
Config read_config(const std::filesystem::path& path);

/// Sets keys one after the other; errors name the override's source. A key that does not exist is one.
void set_overrides(Config& config, const std::vector<Override>& overrides);

/// The file (none where the path is empty), then the environment, then `options`.
Config load_config(const std::filesystem::path& path, const std::vector<Override>& options);

/// The variable that overrides a key: CUZK_DAEMON_LISTEN for "daemon.listen".
std::string environment_name(std::string_view key);

}  // namespace cuzk::server
