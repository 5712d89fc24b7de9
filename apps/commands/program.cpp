#include <iostream>
#include <new>

#include "base/error.h"
#include "base/log.h"
#include "commands/commands.h"

namespace cuzk::apps {

namespace {

void add_commands(CLI::App& program, ExitStatus& status) {
  add_prove(program, status);
  add_verify(program, status);
  add_witness(program, status);
  add_circuit(program, status);
  add_setup(program, status);
  add_keys(program, status);
#ifdef CUZK_SERVER
  add_serve(program, status);
  add_status(program, status);
#endif
}

/// The name of the command that ran, for messages.
std::string command_name(const CLI::App& program) {
  const auto used = program.get_subcommands();
  return used.empty() ? program.get_name() : program.get_name() + " " + used.front()->get_name();
}

/// Help goes to standard output and is no error; everything else is wrong use.
int report_parse_error(const CLI::App& program, const CLI::ParseError& error) {
  return program.exit(error, std::cout, std::cerr) == 0 ? kDone : kWrongUse;
}

}  // namespace

int run_program(int argc, char** argv) {
  CLI::App program("Groth16 proofs for Filecoin: a proving server and its tools.", "cuzk");
  program.footer("Each command tells more: cuzk prove --help");
  program.set_version_flag("--version", CUZK_VERSION);
  program.require_subcommand(1);
  configure_log(spdlog::level::err, LogFormat::text);  // commands tell what they do themselves; serve says more
  ExitStatus status = kDone;
  add_commands(program, status);
  try {
    program.parse(argc, argv);
    return status;
  } catch (const CLI::ParseError& error) {
    return report_parse_error(program, error);
  } catch (const UsageError& error) {
    std::cerr << command_name(program) << ": " << error.what() << '\n';
    return kWrongUse;
  } catch (const std::bad_alloc&) {
    std::cerr << command_name(program) << ": the memory of this machine does not suffice\n";
  } catch (const std::exception& error) {
    std::cerr << command_name(program) << ": " << error.what() << '\n';
  }
  return kFailed;
}

}  // namespace cuzk::apps
