// `cuzk serve` under the name that existing installations start.
#include <vector>

#include "commands/commands.h"

int main(int argc, char** argv) {
  char serve[] = "serve";
  std::vector<char*> arguments(argv, argv + argc);
  arguments.insert(arguments.begin() + 1, serve);
  return cuzk::apps::run_program(static_cast<int>(arguments.size()), arguments.data());
}
