#include "common/connection_options.h"

#include "common/checks.h"

namespace cuzk::apps {

void add_connection_options(CLI::App& command, ConnectionOptions& options) {
  auto* connect =
      command.add_option("--connect", options.connect, "a daemon: unix:///path or host:port")->check(one_address());
  if (!options.connect.empty()) connect->capture_default_str();
  command.add_option("--ca", options.ca, "PEM file: who signed the daemon's certificate; given: TLS")
      ->check(CLI::ExistingFile);
  auto* cert = command.add_option("--cert", options.cert, "PEM file: the certificate to show to the daemon")
                   ->check(CLI::ExistingFile);
  auto* key = command.add_option("--key", options.key, "PEM file: its private key")->check(CLI::ExistingFile);
  cert->needs(key);
  key->needs(cert);
  command.add_option("--token-file", options.token_file, "file with the token to send; needs TLS")
      ->check(CLI::ExistingFile);
}

}  // namespace cuzk::apps
