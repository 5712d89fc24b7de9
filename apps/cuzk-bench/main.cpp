#include "ablate.h"
#include "base/error.h"
#include "commands/commands.h"
#include "farm_load.h"
#include "field.h"
#include "gen_vanilla.h"
#include "msm.h"
#include "ntt.h"
#include "report.h"
#include "simulate.h"
#include "single.h"
#include "synthesis.h"
#include "throughput.h"
#ifdef CUZK_SERVER
#include "metrics.h"
#include "stress.h"
#endif
#ifdef CUZK_CUDA
#include "tune.h"
#endif

namespace cuzk::apps {
namespace {

void add_proofs(CLI::App& program) {
  add_single(program);
  add_batch(program);
  add_slotted_bench(program);
  add_synth_only(program);
  add_pce_bench(program);
  add_pce_pipeline(program);
  add_ablate(program);
}

void add_arithmetic(CLI::App& program) {
  add_msm(program);
  add_ntt(program);
  add_field(program);
#ifdef CUZK_CUDA
  add_tune(program);
#else
  program.add_subcommand("tune", "Windows of products on a GPU: needs a build with CUDA")->callback([] {
    throw Error(Code::unavailable, "this build has no CUDA");
  });
#endif
}

void add_daemon(CLI::App& program, ExitStatus& status) {
#ifdef CUZK_SERVER
  add_stress(program, status);
  add_status(program, status);
  add_metrics(program);
  add_key_store_commands(program);
#endif
  add_simulate(program, status);
  add_farm_load(program);
#ifdef CUZK_FARM
  add_farm_bench(program, status);
#endif
}

}  // namespace
}  // namespace cuzk::apps

int main(int argc, char** argv) {
  CLI::App program("Measures cuzk: whole proofs, their parts, a daemon under load.", "cuzk-bench");
  program.footer("Each command tells more: cuzk-bench single --help");
  cuzk::apps::ExitStatus status = cuzk::apps::kDone;
  cuzk::apps::add_proofs(program);
  cuzk::apps::add_arithmetic(program);
  cuzk::apps::add_daemon(program, status);
  cuzk::apps::add_gen_vanilla(program);
  cuzk::apps::add_report(program);
  return cuzk::apps::run_commands(program, status, argc, argv);
}
