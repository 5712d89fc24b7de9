/// The options with which commands reach a daemon.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace cuzk::apps {

struct ConnectionOptions {
  std::string connect;        ///< empty: no daemon
  std::string ca, cert, key;  ///< files in PEM; empty: none
  std::string token_file;     ///< a file whose first token is sent
};

/// Where a daemon listens when nobody said otherwise.
inline ConnectionOptions default_daemon() { return {"unix:///run/curio/cuzk.sock", {}, {}, {}, {}}; }

/// Adds --connect, --ca, --cert, --key and --token-file. The default of --connect is what `options` holds.
void add_connection_options(CLI::App& command, ConnectionOptions& options);

}  // namespace cuzk::apps
