#include <CLI/CLI.hpp>
#include <iostream>

#include "base/log.h"
#include "common/exit_status.h"
#include "single.h"

int main(int argc, char** argv) {
  using namespace cuzk;
  CLI::App program("Measures whole proofs of cuzk.", "cuzk-bench");
  program.require_subcommand(1);
  configure_log(spdlog::level::err, LogFormat::text);
  apps::add_single(program);
  try {
    program.parse(argc, argv);
    return apps::kDone;
  } catch (const CLI::ParseError& error) {
    return program.exit(error) == 0 ? apps::kDone : apps::kWrongUse;
  } catch (const std::exception& error) {
    std::cerr << "cuzk-bench: " << error.what() << '\n';
  }
  return apps::kFailed;
}
