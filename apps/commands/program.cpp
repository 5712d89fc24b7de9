#include <iostream>
#include <new>

#include "base/error.h"
#include "base/log.h"
#include "commands/circom.h"
#include "commands/commands.h"
#include "commands/manual.h"
#ifdef CUZK_SERVER
#include "commands/server_farm.h"
#endif

namespace cuzk::apps {

namespace {

void add_commands(CLI::App& program, ExitStatus& status) {
  add_prove(program, status);
  add_verify(program, status);
  add_witness(program, status);
  add_circuit(program, status);
  add_setup(program, status);
  add_keys(program, status);
  add_seal(program, status);
  add_post(program, status);
  add_update(program, status);
  add_sparse(program, status);
  add_import(program, status);
  add_export(program, status);
  add_doctor(program, status);
#ifdef CUZK_SERVER
  add_serve(program, status);
  add_status(program, status);
  add_jobs(program, status);
  add_cancel(program, status);
  add_drain(program, status);
  add_trace(program, status);
  add_farm(program, status);
#endif
}

/// `cuzk-daemon` is `cuzk serve`.
const std::vector<ProgramAlias>& aliases_of([[maybe_unused]] const CLI::App& program) {
  static const std::vector<ProgramAlias> none;
#ifdef CUZK_SERVER
  static const std::vector<ProgramAlias> daemon{{"cuzk-daemon", "serve"}};
  if (program.get_name() == "cuzk") return daemon;
#endif
  return none;
}

/// The name of the command that ran, for messages.
std::string command_name(const CLI::App& program) {
  const auto used = program.get_subcommands();
  return used.empty() ? program.get_name() : program.get_name() + " " + used.front()->get_name();
}

/// The command of this name directly below another; null when there is none.
const CLI::App* find_command(const CLI::App& parent, std::string_view name) {
  for (const auto* command : parent.get_subcommands({}))
    if (command->get_name() == name) return command;
  return nullptr;
}

/// Names a command that does not exist; left to itself the parser says only that one is required, or prints the help of
/// the program.
void check_command(const CLI::App& program, int argc, char** argv) {
  const CLI::App* command = &program;
  for (int i = 1; i < argc && command->get_require_subcommand_min() > 0 && argv[i][0] != '-'; ++i) {
    const CLI::App* next = find_command(*command, argv[i]);
    if (next == nullptr) {
      std::vector<std::string> names;
      for (const auto* known : command->get_subcommands({}))
        if (!known->get_group().empty()) names.push_back(known->get_name());
      throw UsageError(fmt::format("there is no command '{}'; there are {}", argv[i], fmt::join(names, ", ")));
    }
    command = next;
  }
}

/// Help goes to standard output and is no error; everything else is wrong use.
int report_parse_error(const CLI::App& program, const CLI::ParseError& error) {
  return program.exit(error, std::cout, std::cerr) == 0 ? kDone : kWrongUse;
}

}  // namespace

int run_commands(CLI::App& program, const ExitStatus& status, int argc, char** argv) {
  program.set_version_flag("--version", CUZK_VERSION);
  program.require_subcommand(1);
  add_manual(program, aliases_of(program));
  configure_log(spdlog::level::err, LogFormat::text);  // commands tell what they do themselves; serve says more
  try {
    check_command(program, argc, argv);
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

int run_program(int argc, char** argv) {
  CLI::App program("Groth16 proofs for Filecoin: a proving server and its tools.", "cuzk");
  program.footer("Each command tells more: cuzk prove --help");
  ExitStatus status = kDone;
  add_commands(program, status);
  return run_commands(program, status, argc, argv);
}

}  // namespace cuzk::apps
