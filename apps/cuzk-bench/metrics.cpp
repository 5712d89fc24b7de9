#include "metrics.h"

#include <iostream>
#include <memory>

#include "commands/server_connection.h"
#include "server/client.h"

namespace cuzk::apps {

void add_metrics(CLI::App& program) {
  auto daemon = std::make_shared<ConnectionOptions>(default_daemon());
  auto* command = program.add_subcommand("metrics", "Prints a daemon's metrics in Prometheus' text format");
  add_connection_options(*command, *daemon);
  command->footer("Example: cuzk-bench metrics --connect unix:///run/curio/cuzk.sock");
  command->callback([daemon] { std::cout << server::Client(connection_of(*daemon)).metrics(); });
}

}  // namespace cuzk::apps
