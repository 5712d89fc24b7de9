#include "commands/server_farm.h"

#include <memory>

#include "common/output.h"
#include "farm/farm.h"
#include "server/config.h"

namespace cuzk::apps {

namespace {

struct FarmCommandOptions {
  std::string config;
  bool json = false;
};

void show_farm(const FarmCommandOptions& options) {
  const auto config = server::load_config(options.config, {});
  if (!config.farm.is_on())
    throw UsageError(
        "no farm: neither farm.postgres of a configuration (-c FILE) nor CUZK_FARM_POSTGRES names a database");
  const auto view = farm::look_at_farm(config.farm);
  print(options.json ? Form::json : Form::text, json_of(view), text_of(view));
}

}  // namespace

void add_farm(CLI::App& program, ExitStatus&) {
  auto* farm = program.add_subcommand("farm", "Several machines that share one queue");
  farm->require_subcommand(1);
  auto options = std::make_shared<FarmCommandOptions>();
  auto* command = farm->add_subcommand("status", "Shows daemons, queue, leases and results of a farm");
  command->add_option("-c,--config", options->config, "TOML file whose section [farm] names the database");
  command->add_flag("--json", options->json, "print one JSON object");
  command->footer(
      "Example: cuzk farm status -c /etc/cuzk/cuzk.toml\n"
      "It asks the database itself: no daemon need be there. Its address is no option, as it may hold a password.");
  command->callback([options] { show_farm(*options); });
}

}  // namespace cuzk::apps
