#include "ablate.h"
#include "commands/commands.h"
#include "gen_vanilla.h"
#include "simulate.h"
#include "single.h"
#ifdef CUZK_SERVER
#include "stress.h"
#endif
#ifdef CUZK_CUDA
#include "tune.h"
#endif

int main(int argc, char** argv) {
  CLI::App program("Measures whole proofs of cuzk, and makes what they are measured on.", "cuzk-bench");
  program.footer("Each command tells more: cuzk-bench single --help");
  cuzk::apps::ExitStatus status = cuzk::apps::kDone;
  cuzk::apps::add_single(program);
  cuzk::apps::add_ablate(program);
  cuzk::apps::add_gen_vanilla(program);
  cuzk::apps::add_simulate(program, status);
#ifdef CUZK_CUDA
  cuzk::apps::add_tune(program);
#endif
#ifdef CUZK_SERVER
  cuzk::apps::add_stress(program, status);
#endif
  return cuzk::apps::run_commands(program, status, argc, argv);
}
