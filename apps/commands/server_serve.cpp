#include <memory>
#include <optional>

#include "commands/commands.h"
#include "commands/server_insecure.h"
#include "common/checks.h"
#include "common/provers.h"
#include "engine/statements/circuit_catalog.h"
#include "engine/statements/kind_decoder.h"
#include "server/config.h"
#include "server/daemon.h"

namespace cuzk::apps {

namespace {

struct ServeOptions {
  std::string config, listen, log_level;
  InsecureServe insecure;
};

server::Config read_configuration(const ServeOptions& options) {
  auto config = options.config.empty() ? server::Config{} : server::read_config(options.config);
  if (!options.listen.empty()) config.listen = server::parse_addresses(options.listen);
  if (!options.log_level.empty()) config.log_level = log_level(options.log_level);
  return config;
}

void serve(const ServeOptions& options) {
  const auto config = read_configuration(options);
  const server::Signals signals;  // before the first thread
  configure_log(config.log_level, config.log_format);
  ThreadPool pool(config.threads);
  engine::CircuitCatalog circuits(config.circuits);
  const auto decoder = with_toys(options.insecure, std::make_unique<engine::KindDecoder>(circuits), circuits);
  const auto prover = with_insecurities(options.insecure, make_prover("auto", pool));
  server::run_daemon(config, {*decoder, engine::key_file_names, *prover}, signals);
}

}  // namespace

void add_serve(CLI::App& program, ExitStatus&) {
  auto options = std::make_shared<ServeOptions>();
  auto* command = program.add_subcommand("serve", "The daemon: proves what it is asked for over gRPC");
  command->add_option("-c,--config", options->config, "TOML file");
  command->add_option("-l,--listen", options->listen, "unix:///path or host:port, several with commas")
      ->check(addresses());
  command->add_option("--log-level", options->log_level, "trace, debug, info, warn, error or off")
      ->check(log_level_name());
  add_insecure_options(*command, options->insecure);
  command->footer("Example: cuzk serve -c /etc/cuzk.toml -l unix:///run/curio/cuzk.sock");
  command->callback([options] { serve(*options); });
}

}  // namespace cuzk::apps
