/// The commands of `cuzk`. Each function adds one to the program; its work runs while the command line is parsed, throws
/// Error when it fails, and changes `status` when it is done but the answer is no.
#pragma once

#include "common/exit_status.h"

namespace CLI {
class App;
}

namespace cuzk::apps {

void add_cancel(CLI::App& program, ExitStatus& status);
void add_circuit(CLI::App& program, ExitStatus& status);
void add_doctor(CLI::App& program, ExitStatus& status);
void add_drain(CLI::App& program, ExitStatus& status);
void add_trace(CLI::App& program, ExitStatus& status);
void add_jobs(CLI::App& program, ExitStatus& status);
void add_keys(CLI::App& program, ExitStatus& status);
void add_post(CLI::App& program, ExitStatus& status);
void add_prove(CLI::App& program, ExitStatus& status);
void add_seal(CLI::App& program, ExitStatus& status);
void add_serve(CLI::App& program, ExitStatus& status);
void add_setup(CLI::App& program, ExitStatus& status);
void add_sparse(CLI::App& program, ExitStatus& status);
void add_status(CLI::App& program, ExitStatus& status);
void add_update(CLI::App& program, ExitStatus& status);
void add_verify(CLI::App& program, ExitStatus& status);
void add_witness(CLI::App& program, ExitStatus& status);

/// `keys preload` and `keys evict`, which speak to a daemon.
void add_key_store_commands(CLI::App& keys);

/// Parses and runs `cuzk`; the exit status of the process.
int run_program(int argc, char** argv);

/// The same of any program whose commands change `status`: errors go to standard error, behind the command's name.
int run_commands(CLI::App& program, const ExitStatus& status, int argc, char** argv);

}  // namespace cuzk::apps
