#include <iostream>
#include <memory>
#include <optional>

#include "commands/commands.h"
#include "commands/server_child.h"
#include "commands/server_insecure.h"
#include "common/checks.h"
#include "common/doctor.h"
#include "common/lasting_provers.h"
#include "engine/statements/circuit_catalog.h"
#include "engine/statements/kind_decoder.h"
#include "server/config.h"
#include "server/config_check.h"
#include "server/daemon.h"

namespace cuzk::apps {

namespace {

struct ServeOptions {
  std::string config, listen, log_level, device;
  std::vector<std::string> settings;
  bool open_tcp = false, check = false;
  InsecureServe insecure;
  ChildOptions child;
};

/// "section.key=value", as --set has it.
server::Override override_of(const std::string& setting) {
  const auto equals = setting.find('=');
  if (equals == std::string::npos) throw UsageError(fmt::format("--set {}: expected section.key=value", setting));
  return {setting.substr(0, equals), setting.substr(equals + 1), "--set"};
}

server::Config read_configuration(const ServeOptions& options) {
  std::vector<server::Override> overrides;
  for (const auto& setting : options.settings) overrides.push_back(override_of(setting));
  if (!options.listen.empty()) overrides.push_back({"daemon.listen", options.listen, "--listen"});
  if (!options.device.empty()) overrides.push_back({"gpus.devices", options.device, "--device"});
  if (options.open_tcp) overrides.push_back({"daemon.insecure", "true", "--insecure"});
  if (!options.log_level.empty()) overrides.push_back({"logging.level", options.log_level, "--log-level"});
  auto config = server::load_config(options.config, overrides);
  if (options.child.socket && options.listen.empty()) config.listen.clear();  // the socket stands in its place
  return config;
}

std::string_view word(server::Finding::Level level) {
  switch (level) {
    case server::Finding::Level::ok: return "ok";
    case server::Finding::Level::warn: return "warn";
    default: return "fail";
  }
}

/// Says what a daemon would use and what is in its way, and starts none.
void check(const ServeOptions& options, ExitStatus& status) {
  const auto config = read_configuration(options);
  std::cout << server::effective_config(config) << '\n';
  const auto devices = [&] { return describe_devices(config.devices); };
  for (const auto& finding : server::check_machine(config, engine::key_file_names, devices)) {
    std::cout << fmt::format("{:<5}{}\n", word(finding.level), finding.text);
    if (finding.level == server::Finding::Level::fail) status = kFailed;
  }
}

server::MachineCheck::State state_of(Health health) {
  switch (health) {
    case Health::ok: return server::MachineCheck::State::ok;
    case Health::warn: return server::MachineCheck::State::warn;
    default: return server::MachineCheck::State::fail;
  }
}

/// What `cuzk doctor` finds, but for proofs on the devices: they are at work here.
std::vector<server::MachineCheck> checks_of(const std::filesystem::path& keys) {
  std::vector<server::MachineCheck> checks;
  for (const Findings& some : {examine_program(), examine_machine(), examine_limits(keys), examine_files(keys)})
    for (const Finding& each : some) checks.push_back({each.name, state_of(each.health), each.value, each.advice});
  return checks;
}

server::Backend backend_of(const engine::StatementDecoder& decoder, const LastingProvers& provers,
                           const std::filesystem::path& keys) {
  server::Backend backend{decoder, engine::key_file_names, {}, provers.spare.get()};
  for (const auto& prover : provers.devices) backend.provers.push_back(prover.get());
  backend.examine = [keys] { return checks_of(keys); };
  return backend;
}

void serve(const ServeOptions& options) {
  const auto config = read_configuration(options);
  const server::Signals signals(watched_parent(options.child));  // before the first thread
  const Child child(options.child);
  configure_log(config.log);
  ThreadPool pool(config.threads);
  engine::CircuitCatalog circuits(config.circuits);
  const auto decoder = with_toys(options.insecure, std::make_unique<engine::KindDecoder>(circuits), circuits);
  const auto provers =
      with_insecurities(options.insecure, make_lasting_provers(config.devices, config.gpu_memory.value_or(0), pool));
  server::run_daemon(
      config, backend_of(*decoder, provers, config.param_cache), signals, [&] { return read_configuration(options); },
      child.launch());
}

}  // namespace

void add_serve(CLI::App& program, ExitStatus& status) {
  auto options = std::make_shared<ServeOptions>();
  auto* command = program.add_subcommand("serve", "The daemon: proves what it is asked for over gRPC");
  command->add_option("-c,--config", options->config, "TOML file");
  command->add_option("-l,--listen", options->listen, "unix:///path or host:port, several with commas")
      ->check(addresses());
  command->add_option("--device", options->device, "auto (all GPUs, else the processor), cpu, or GPUs: cuda:0,cuda:1");
  command->add_option("--log-level", options->log_level, "trace, debug, info, warn, error or off")
      ->check(log_level_name());
  command->add_option("--set", options->settings, "SECTION.KEY=VALUE: any key of the configuration")
      ->allow_extra_args(false);
  command->add_flag("--insecure", options->open_tcp, "TCP may go without TLS or without authentication");
  command->add_flag("--check", options->check, "only say what would be used and what is wrong; exit status 1 if it is");
  add_child_options(*command, options->child);
  add_insecure_options(*command, options->insecure);
  command->footer("Example: cuzk serve -c /etc/cuzk.toml -l unix:///run/curio/cuzk.sock");
  command->callback([options, &status] { options->check ? check(*options, status) : serve(*options); });
}

}  // namespace cuzk::apps
