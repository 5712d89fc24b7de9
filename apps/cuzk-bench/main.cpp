#include "commands/commands.h"
#include "single.h"

int main(int argc, char** argv) {
  CLI::App program("Measures whole proofs of cuzk.", "cuzk-bench");
  program.footer("Each command tells more: cuzk-bench single --help");
  cuzk::apps::ExitStatus status = cuzk::apps::kDone;
  cuzk::apps::add_single(program);
  return cuzk::apps::run_commands(program, status, argc, argv);
}
