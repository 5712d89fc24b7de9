#include <filesystem>
#include <vector>

#include "commands/commands.h"

namespace {

/// Existing installations start `cuzk-daemon`, a link to this program: that is `cuzk serve`.
bool is_daemon(int argc, char** argv) { return argc > 0 && std::filesystem::path(argv[0]).filename() == "cuzk-daemon"; }

}  // namespace

int main(int argc, char** argv) {
  std::vector<char*> arguments(argv, argv + argc);
  char serve[] = "serve";
  if (is_daemon(argc, argv)) arguments.insert(arguments.begin() + 1, serve);
  return cuzk::apps::run_program(static_cast<int>(arguments.size()), arguments.data());
}
