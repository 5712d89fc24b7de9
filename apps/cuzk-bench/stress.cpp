#include "stress.h"

#include <algorithm>
#include <memory>

#include "base/error.h"
#include "commands/server_connection.h"
#include "common/files.h"
#include "common/output.h"
#include "common/requests.h"
#include "load_run.h"
#include "server/client.h"
#include "server/messages.h"

namespace cuzk::apps {
namespace {

struct StressOptions {
  ConnectionOptions daemon = default_daemon();
  std::string kind;
  std::vector<std::string> inputs;
  std::string urgent;
  std::size_t clients = 100, requests = 1000;
  unsigned interval_ms = 0, urgent_interval_ms = 1000;
  bool submit_only = false, json = false;
};

v1::SubmitProofRequest request_of(const std::string& kind, const std::string& file) {
  return server::request_message(read_input({kind, file, {}}), "");
}

/// A WinningPoSt request, or a toy that a test's daemon takes for one.
v1::SubmitProofRequest urgent_request(const std::string& file) {
  constexpr std::size_t kLargest = std::size_t{1} << 26;
  const bool is_real = read_file(file, kLargest).starts_with('{');
  auto request = request_of(is_real ? "winning" : "toy", file);
  request.set_proof_kind(v1::WINNING_POST);
  return request;
}

LoadPlan plan_of(const StressOptions& options) {
  LoadPlan plan;
  plan.daemon = connection_of(options.daemon);
  for (const auto& file : options.inputs) plan.requests.push_back(request_of(options.kind, file));
  if (!options.urgent.empty()) plan.urgent = urgent_request(options.urgent);
  plan.clients = options.clients;
  plan.total = options.requests;
  plan.interval = std::chrono::milliseconds(options.interval_ms);
  plan.urgent_interval = std::chrono::milliseconds(options.urgent_interval_ms);
  if (options.submit_only) plan.waiting = LoadPlan::Waiting::for_acceptance;
  return plan;
}

/// Jobs that nobody waits for must not keep the daemon busy.
void cancel_all(const LoadPlan& plan, const std::vector<std::string>& jobs) {
  server::Client client(plan.daemon);
  for (const auto& job : jobs) client.cancel(job);
}

JsonObject json_of(const Latencies& times) {
  JsonObject object;
  object.add("count", times.count()).add("p50_ms", times.quantile(0.5)).add("p99_ms", times.quantile(0.99));
  return object.add("max_ms", times.quantile(1));
}

JsonObject json_of(const CallResults& calls) {
  std::vector<JsonObject> errors;
  for (const auto& [message, count] : calls.errors) errors.emplace_back().add("message", message).add("count", count);
  JsonObject object;
  object.add("answered", json_of(calls.answered)).add("without_proving", json_of(calls.own));
  return object.add("refused", json_of(calls.refused)).add("failed", calls.failed).add("errors", errors);
}

u64 most(const std::vector<u64>& values) {
  return values.empty() ? 0 : *std::max_element(values.begin(), values.end());
}

JsonObject json_of(const StressOptions& options, const LoadResults& results) {
  const auto& memory = results.memory;
  JsonObject object, bytes;
  bytes.add("first", memory.empty() ? 0 : memory.front()).add("last", memory.empty() ? 0 : memory.back());
  bytes.add("most", most(memory));
  object.add("clients", options.clients).add("requests", options.requests).add("interval_ms", options.interval_ms);
  object.add("seconds", results.seconds).add("calls", json_of(results.clients)).add("urgent", json_of(results.urgent));
  object.add("status", json_of(results.status)).add("distinct_proofs", results.distinct);
  return object.add("mixed_up", results.mixed_up).add("daemon_bytes", bytes);
}

std::string row(const char* what, const Latencies& times) {
  if (times.count() == 0) return "";
  return fmt::format("  {:<28}{:>9}{:>11.2f}{:>11.2f}{:>11.2f}\n", what, times.count(), times.quantile(0.5),
                     times.quantile(0.99), times.quantile(1));
}

std::string text_of(const StressOptions& options, const LoadResults& results) {
  auto text = fmt::format("{} clients, {} requests in {:.1f} s: {:.0f} a second\n", options.clients, options.requests,
                          results.seconds, static_cast<double>(options.requests) / results.seconds);
  text += fmt::format("  {:<28}{:>9}{:>11}{:>11}{:>11}\n", "", "calls", "p50 ms", "p99 ms", "max ms");
  text += row(options.submit_only ? "accepted" : "answered", results.clients.answered);
  text += row("  without proving", results.clients.own);
  text += row("refused", results.clients.refused);
  text += row("urgent, answered", results.urgent.answered);
  text += row("urgent, without proving", results.urgent.own);
  text += row("urgent, refused", results.urgent.refused);
  text += row("status", results.status);
  text += fmt::format("failed {}, urgent ones failed {}, proofs of another's input {}\n", results.clients.failed,
                      results.urgent.failed, results.mixed_up);
  for (const auto* calls : {&results.clients, &results.urgent})
    for (const auto& [message, count] : calls->errors) text += fmt::format("  {} times: {}\n", count, message);
  const auto& memory = results.memory;
  constexpr double kMega = 1e6;
  if (memory.empty()) return text + "the daemon's memory is not known";
  return text + fmt::format("the daemon's memory: {:.1f} MB at the start, {:.1f} at the end, {:.1f} at most",
                            static_cast<double>(memory.front()) / kMega, static_cast<double>(memory.back()) / kMega,
                            static_cast<double>(most(memory)) / kMega);
}

void run_stress(const StressOptions& options, ExitStatus& status) {
  const LoadPlan plan = plan_of(options);
  const LoadResults results = run_load(plan);
  cancel_all(plan, results.jobs);
  print(options.json ? Form::json : Form::text, json_of(options, results), text_of(options, results));
  if (results.clients.failed + results.urgent.failed + results.mixed_up != 0) status = kFailed;
}

}  // namespace

void add_stress(CLI::App& program, ExitStatus& status) {
  auto options = std::make_shared<StressOptions>();
  auto* command = program.add_subcommand("stress", "Many clients of a running daemon at once");
  add_connection_options(*command, options->daemon);
  command->add_option("KIND", options->kind, "porep, snap, window, winning, or toy where the daemon takes them")
      ->required()
      ->check(CLI::IsMember(kind_words()));
  command->add_option("INPUT", options->inputs, "request files, taken in turn")->required()->check(CLI::ExistingFile);
  command->add_option("--clients", options->clients, "each with a connection of its own and one request at a time")
      ->check(CLI::Range(1, 100'000))
      ->capture_default_str();
  command->add_option("--requests", options->requests, "of all clients together")
      ->check(CLI::Range(1, 100'000'000))
      ->capture_default_str();
  command->add_option("--interval", options->interval_ms, "ms between the starts of a client's requests; 0: no rest")
      ->capture_default_str();
  command->add_flag("--submit-only", options->submit_only, "wait for the acceptance alone; cancel all at the end");
  command->add_option("--urgent", options->urgent, "a WinningPoSt request that is sent beside, as CRITICAL")
      ->check(CLI::ExistingFile);
  command->add_option("--urgent-interval", options->urgent_interval_ms, "ms between the starts of urgent requests")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  command->add_flag("--json", options->json, "print one JSON object");
  command->footer(
      "Example: cuzk-bench stress winning request.json --clients 1000 --requests 20000 --interval 5000\n"
      "Exit status 1: a request failed. Refusals (the daemon is full) are counted and no failure.");
  command->callback([options, &status] { run_stress(*options, status); });
}

}  // namespace cuzk::apps
