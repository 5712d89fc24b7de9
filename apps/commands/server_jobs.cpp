#include <chrono>
#include <memory>
#include <thread>

#include "commands/commands.h"
#include "commands/server_connection.h"
#include "common/files.h"
#include "common/output.h"
#include "server/client.h"

namespace cuzk::apps {

namespace {

struct DaemonOptions {
  ConnectionOptions daemon = default_daemon();
  bool json = false;

  server::Client client() const { return server::Client(connection_of(daemon)); }

  Form form() const { return json ? Form::json : Form::text; }
};

/// How a command is called and what it tells of itself.
struct CommandText {
  const char *name, *help, *example;
};

/// A command that asks a daemon: calls `add(command, options)` for what it has beside the usual options, and `run` when it
/// is used.
template <class Options, class Add>
void add_daemon_command(CLI::App& parent, const CommandText& text, void (*run)(const Options&), Add&& add) {
  auto options = std::make_shared<Options>();
  auto* command = parent.add_subcommand(text.name, text.help);
  add_connection_options(*command, options->daemon);
  command->add_flag("--json", options->json, "print one JSON object");
  command->footer(fmt::format("Example: {}", text.example));
  add(*command, *options);
  command->callback([options, run] { run(*options); });
}

/// "JOB_TIMED_OUT" as "timed out".
std::string words(std::string_view state) {
  std::string result(state.substr(state.find('_') + 1));
  for (char& c : result) c = c == '_' ? ' ' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

std::string state_of(const v1::JobStatus& job) { return words(v1::JobState_Name(job.state())); }

JsonObject json_of(const v1::JobStatus& job) {
  JsonObject object;
  object.add("job_id", job.job_id()).add("request_id", job.request_id());
  object.add("proof_kind", v1::ProofKind_Name(job.proof_kind())).add("priority", v1::Priority_Name(job.priority()));
  object.add("state", state_of(job)).add("stage", job.stage());
  object.add("partitions_done", job.partitions_done()).add("partitions", job.partitions());
  object.add("queued_ms", job.queued_ms()).add("running_ms", job.running_ms());
  return object.add("error_message", job.error_message());
}

double seconds(u64 milliseconds) { return static_cast<double>(milliseconds) / 1000; }

std::string text_of(const v1::JobStatus& job) {
  const auto kind = v1::ProofKind_Name(job.proof_kind());
  auto text = fmt::format("{}  {:<21} {:<8} {:<9} {:>7.1f} s", job.job_id(), kind, v1::Priority_Name(job.priority()),
                          state_of(job), seconds(job.queued_ms() + job.running_ms()));
  if (job.partitions() != 0) text += fmt::format("  {}/{}", job.partitions_done(), job.partitions());
  if (!job.request_id().empty()) text += "  " + job.request_id();
  if (!job.error_message().empty()) text += ": " + job.error_message();
  return text;
}

struct JobsOptions : DaemonOptions {
  bool all = false;
  u32 limit = 0;
};

void list_jobs(const JobsOptions& options) {
  const auto answer = options.client().jobs(options.all, options.limit);
  std::vector<JsonObject> objects;
  std::string text;
  for (const auto& job : answer.jobs()) {
    objects.push_back(json_of(job));
    text += text_of(job) + "\n";
  }
  text += fmt::format("{} jobs", answer.jobs_size() + static_cast<i64>(answer.left_out()));
  if (answer.left_out() != 0) text += fmt::format(", {} of them not shown (--limit)", answer.left_out());
  JsonObject object;
  object.add("jobs", objects).add("left_out", answer.left_out());
  print(options.form(), object, text);
}

struct CancelOptions : DaemonOptions {
  std::string job;
};

void cancel_job(const CancelOptions& options) {
  const bool was_running = options.client().cancel(options.job).was_running();
  JsonObject object;
  object.add("job_id", options.job).add("was_running", was_running);
  print(options.form(), object,
        fmt::format("job {}: {}", options.job, was_running ? "told to stop" : "it does not run and will not"));
}

struct DrainOptions : DaemonOptions {
  bool wait = false, resume = false;
};

constexpr auto kBetweenLooks = std::chrono::milliseconds(500);

void drain(const DrainOptions& options) {
  auto client = options.client();
  u32 unfinished = options.resume ? client.resume().unfinished() : client.drain().unfinished();
  for (; options.wait && unfinished != 0; unfinished = client.drain().unfinished()) {
    std::this_thread::sleep_for(kBetweenLooks);
  }
  JsonObject object;
  object.add("mode", options.resume ? "accepting" : "draining").add("unfinished", unfinished);
  print(options.form(), object,
        fmt::format("{}; {} jobs have not ended", options.resume ? "new jobs are taken" : "no new jobs are taken",
                    unfinished));
}

struct TraceOptions : DaemonOptions {
  std::string job, out;
};

void write_trace(const TraceOptions& options) {
  const auto trace = options.client().trace(options.job);
  if (options.out.empty()) {
    std::cout << trace;
    return;
  }
  write_file(options.out, {reinterpret_cast<const u8*>(trace.data()), trace.size()});
  JsonObject object;
  object.add("job_id", options.job).add("file", options.out).add("bytes", trace.size());
  print(options.form(), object,
        fmt::format("job {}: its trace is in {}; chrome://tracing and ui.perfetto.dev show it", options.job,
                    options.out));
}

struct StoreOptions : DaemonOptions {
  std::string circuit;
};

void preload_key(const StoreOptions& options) {
  const auto answer = options.client().preload(options.circuit);
  JsonObject object;
  object.add("circuit", options.circuit).add("already_loaded", answer.already_loaded());
  object.add("load_time_ms", answer.load_time_ms());
  print(options.form(), object,
        fmt::format("key of {}: {} in {:.1f} s", options.circuit, answer.already_loaded() ? "was loaded" : "loaded",
                    seconds(answer.load_time_ms())));
}

void evict_key(const StoreOptions& options) {
  const auto answer = options.client().evict(options.circuit);
  JsonObject object;
  object.add("circuit", options.circuit).add("was_loaded", answer.was_loaded());
  object.add("freed_bytes", answer.freed_bytes());
  print(options.form(), object,
        answer.was_loaded() ? fmt::format("key of {}: {} bytes freed", options.circuit, answer.freed_bytes())
                            : fmt::format("key of {}: it was not loaded", options.circuit));
}

}  // namespace

void add_jobs(CLI::App& program, ExitStatus&) {
  add_daemon_command(program, {"jobs", "Lists a daemon's jobs that wait or run", "cuzk jobs --all"}, list_jobs,
                     [](CLI::App& command, JobsOptions& options) {
                       command.add_flag("--all", options.all, "also those that have ended and are remembered");
                       command.add_option("--limit", options.limit, "at most so many; 0: 1000");
                     });
}

void add_cancel(CLI::App& program, ExitStatus&) {
  add_daemon_command(
      program,
      {"cancel", "Cancels a job, for everyone who asked for it", "cuzk cancel 0f1e2d3c4b5a69788796a5b4c3d2e1f0"},
      cancel_job, [](CLI::App& command, CancelOptions& options) {
        command.add_option("job", options.job, "the id that `cuzk jobs` shows")->required();
      });
}

void add_trace(CLI::App& program, ExitStatus&) {
  add_daemon_command(program,
                     {"trace", "Shows where a job's time goes or went, in Chrome's trace format",
                      "cuzk trace 0f1e2d3c4b5a69788796a5b4c3d2e1f0 --out trace.json"},
                     write_trace, [](CLI::App& command, TraceOptions& options) {
                       command.add_option("job", options.job, "the id that `cuzk jobs --all` shows")->required();
                       command.add_option("--out", options.out, "the file to write; else standard output");
                     });
}

void add_drain(CLI::App& program, ExitStatus&) {
  add_daemon_command(
      program,
      {"drain", "Lets a daemon finish what it has and take no more", "cuzk drain --wait && systemctl restart cuzk"},
      drain, [](CLI::App& command, DrainOptions& options) {
        auto* wait = command.add_flag("--wait", options.wait, "return when all jobs have ended");
        command.add_flag("--resume", options.resume, "take new jobs again")->excludes(wait);
      });
}

void add_key_store_commands(CLI::App& keys) {
  const auto add = [](CLI::App& command, StoreOptions& options) {
    command.add_option("circuit", options.circuit, "such as porep-32g")->required();
  };
  add_daemon_command(keys, {"preload", "Lets a daemon load a key before it is needed", "cuzk keys preload winning-32g"},
                     preload_key, add);
  add_daemon_command(keys, {"evict", "Lets a daemon free a key that no job uses", "cuzk keys evict porep-32g"},
                     evict_key, add);
}

}  // namespace cuzk::apps
