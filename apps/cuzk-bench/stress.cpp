#include "stress.h"

#include <algorithm>
#include <memory>

#include "base/error.h"
#include "common/exit_status.h"
#include "measure/measured.h"
#include "server/client.h"
#include "stress_plan.h"

namespace cuzk::apps {
namespace {

constexpr double kMega = 1e6;
constexpr double kKeepsUp = 0.9;  // of the rate that is offered

/// Jobs that nobody waits for must not keep the daemon busy.
void cancel_all(const LoadPlan& plan, const std::vector<std::string>& jobs) {
  if (jobs.empty()) return;
  server::Client client(plan.daemon);
  for (const auto& job : jobs) client.cancel(job);
}

JsonObject json_of(const Latencies& times) {
  JsonObject object;
  object.add("count", times.count()).add("p50_ms", times.quantile(0.5)).add("p90_ms", times.quantile(0.9));
  return object.add("p99_ms", times.quantile(0.99)).add("max_ms", times.quantile(1));
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

void tell_figures(JsonObject& object, const StressOptions& options, const LoadResults& results) {
  const auto& memory = results.memory;
  JsonObject bytes, kinds;
  bytes.add("first", memory.empty() ? 0 : memory.front()).add("last", memory.empty() ? 0 : memory.back());
  bytes.add("most", most(memory));
  for (const auto& [kind, times] : results.by_kind) kinds.add(kind, json_of(times));
  object.add("clients", options.clients.front()).add("requests", options.requests);
  object.add("interval_ms", options.interval_ms);
  object.add("seconds", results.seconds).add("calls", json_of(results.clients)).add("urgent", json_of(results.urgent));
  object.add("kinds", kinds).add("status", json_of(results.status)).add("distinct_proofs", results.distinct);
  object.add("mixed_up", results.mixed_up).add("daemon_bytes", bytes);
}

std::string text_of(const StressOptions& options, const LoadResults& results) {
  auto text = fmt::format("{} clients, {} requests in {:.1f} s: {:.3g} a second\n", options.clients.front(),
                          options.requests, results.seconds, static_cast<double>(options.requests) / results.seconds);
  text += fmt::format("failed {}, refused {}, urgent ones failed {}, refused {}, proofs of another's input {}\n",
                      results.clients.failed, results.clients.refused.count(), results.urgent.failed,
                      results.urgent.refused.count(), results.mixed_up);
  for (const auto* calls : {&results.clients, &results.urgent})
    for (const auto& [message, count] : calls->errors) text += fmt::format("  {} times: {}\n", count, message);
  const auto& memory = results.memory;
  if (memory.empty()) return text + "the daemon's memory is not known";
  return text + fmt::format("the daemon's memory: {:.1f} MB at the start, {:.1f} at the end, {:.1f} at most",
                            static_cast<double>(memory.front()) / kMega, static_cast<double>(memory.back()) / kMega,
                            static_cast<double>(most(memory)) / kMega);
}

/// What figures belong to: a rate, or a number of clients.
struct At {
  std::optional<double> value = {};
  const char* counts = "";
};

void add_latencies(measure::Recorder& recorder, const std::string& name, const Latencies& times, const At& at = {}) {
  if (times.count() == 0) return;
  recorder.add(measure::Measurement{
      .name = name, .unit = "ms", .size = at.value, .size_of = at.counts, .samples = times.samples()});
}

void add_throughput(measure::Recorder& recorder, const LoadResults& results, const At& at = {}) {
  recorder.add(
      measure::Measurement{.name = "throughput",
                           .unit = "answers/s",
                           .better = measure::Better::more,
                           .size = at.value,
                           .size_of = at.counts,
                           .samples = {static_cast<double>(results.clients.answered.count()) / results.seconds}});
}

void add_series(measure::Recorder& recorder, const LoadResults& results) {
  measure::Series memory{"the daemon's resident memory", "MB", {}}, proofs{"proofs in each second", "proofs", {}};
  for (std::size_t second = 0; second < results.memory.size(); ++second)
    memory.points.emplace_back(static_cast<double>(second), static_cast<double>(results.memory[second]) / kMega);
  for (std::size_t second = 0; second < results.each_second.size(); ++second)
    proofs.points.emplace_back(static_cast<double>(second), static_cast<double>(results.each_second[second]));
  recorder.add(std::move(memory));
  if (!proofs.points.empty()) recorder.add(std::move(proofs));
}

bool has_failed(const LoadResults& results) {
  return results.clients.failed + results.urgent.failed + results.mixed_up != 0;
}

/// The plan, with a line on the terminal while it runs.
LoadPlan shown(LoadPlan plan, measure::Recorder& recorder, const std::string& what) {
  plan.on_progress = [&recorder, what, total = plan.total](std::size_t ended) {
    recorder.progress(what, ended, total);
  };
  return plan;
}

void warm_up(const StressOptions& options, measure::Recorder& recorder) {
  if (options.output.warmup == 0) return;
  LoadPlan plan = shown(plan_of(options), recorder, "warming up");
  plan.total = options.output.warmup;
  plan.urgent.reset();
  cancel_all(plan, run_load(plan).jobs);
}

void measure_load(const StressOptions& options, measure::Recorder& recorder, ExitStatus& status) {
  const LoadPlan plan = shown(plan_of(options), recorder, "requests answered");
  const LoadResults results = run_load(plan);
  cancel_all(plan, results.jobs);
  tell_figures(recorder.figures(), options, results);
  recorder.say(text_of(options, results));
  add_latencies(recorder, options.submit_only ? "accepted" : "answered", results.clients.answered);
  add_latencies(recorder, "without proving", results.clients.own);
  if (results.by_kind.size() > 1)
    for (const auto& [kind, times] : results.by_kind) add_latencies(recorder, "answered." + kind, times);
  add_latencies(recorder, "refused", results.clients.refused);
  add_latencies(recorder, "urgent", results.urgent.answered);
  add_latencies(recorder, "urgent, without proving", results.urgent.own);
  add_latencies(recorder, "status", results.status);
  add_throughput(recorder, results);
  add_series(recorder, results);
  if (has_failed(results)) status = kFailed;
}

/// One of several loads.
struct Step {
  At at;
  double answered;  ///< a second
  double p50, p99;  ///< ms
  std::size_t refused, failed;
};

Step step_of(const At& at, const LoadResults& results) {
  const Latencies& times = results.clients.answered;
  return {at,
          static_cast<double>(times.count()) / results.seconds,
          times.quantile(0.5),
          times.quantile(0.99),
          results.clients.refused.count(),
          results.clients.failed};
}

bool keeps_up(const Step& step, const Step& first, double knee) {
  return step.refused == 0 && step.failed == 0 && step.answered >= kKeepsUp * *step.at.value &&
         step.p99 <= knee * first.p99;
}

std::string heading(const char* counts) {
  return fmt::format("{:>20}{:>14}{:>10}{:>10}{:>9}{:>8}", counts, "answers/s", "p50 ms", "p99 ms", "refused",
                     "failed");
}

std::string row(const Step& step) {
  return fmt::format("{:>20.6g}{:>14.2f}{:>10.1f}{:>10.1f}{:>9}{:>8}", *step.at.value, step.answered, step.p50,
                     step.p99, step.refused, step.failed);
}

JsonObject json_of(const Step& step) {
  JsonObject object;
  object.add("at", *step.at.value).add("answered", step.answered).add("p50_ms", step.p50).add("p99_ms", step.p99);
  return object.add("refused", step.refused).add("failed", step.failed);
}

/// Runs one of several loads and adds its figures.
Step run_step(const StressOptions& options, const At& at, measure::Recorder& recorder, ExitStatus& status) {
  const LoadPlan plan = shown(plan_of(options), recorder, fmt::format("{:.6g} {}", *at.value, at.counts));
  const LoadResults results = run_load(plan);
  cancel_all(plan, results.jobs);
  add_latencies(recorder, "answered", results.clients.answered, at);
  add_latencies(recorder, "urgent", results.urgent.answered, at);
  add_throughput(recorder, results, at);
  if (has_failed(results)) status = kFailed;
  return step_of(at, results);
}

/// One load for each number of clients.
void measure_clients(StressOptions options, measure::Recorder& recorder, ExitStatus& status) {
  std::vector<JsonObject> rows;
  recorder.say(heading("clients"));
  for (const std::size_t clients : std::vector(options.clients)) {
    options.clients = {clients};
    const Step step = run_step(options, {static_cast<double>(clients), "clients"}, recorder, status);
    recorder.say(row(step));
    rows.push_back(json_of(step));
  }
  recorder.figures().add("steps", rows);
}

/// Higher and higher rates, until the first that the daemon does not keep up with.
void measure_ramp(StressOptions options, measure::Recorder& recorder, ExitStatus& status) {
  std::optional<Step> first;
  std::vector<JsonObject> rows;
  double knee = 0;
  recorder.say(heading("requests/s offered"));
  for (bool held = true; held && rows.size() < options.ramp_steps; options.rate *= options.ramp_factor) {
    const Step step = run_step(options, {options.rate, "requests/s offered"}, recorder, status);
    if (!first) first = step;
    held = keeps_up(step, *first, options.knee);
    if (held) knee = options.rate;
    recorder.say(row(step) + (held ? "  keeps up" : "  does not keep up"));
    rows.push_back(json_of(step).add("keeps_up", held));
  }
  recorder.say(knee > 0 ? fmt::format("the highest rate that it kept up with: {:.2f} requests a second", knee)
                        : "it did not keep up with the first rate");
  recorder.figures().add("steps", rows).add("knee", knee);
}

void run_stress(const StressOptions& options, ExitStatus& status) {
  if (options.ramp && options.clients.size() > 1) throw UsageError("--ramp takes one number of --clients");
  measure::run_measured("stress", options.output, [&](measure::Recorder& recorder) {
    warm_up(options, recorder);
    if (options.ramp) return measure_ramp(options, recorder, status);
    options.clients.size() > 1 ? measure_clients(options, recorder, status) : measure_load(options, recorder, status);
  });
}

}  // namespace

void add_stress(CLI::App& program, ExitStatus& status) {
  auto options = std::make_shared<StressOptions>();
  auto* command = program.add_subcommand("stress", "Many clients of a running daemon at once");
  add_stress_options(*command, *options);
  command->footer(
      "Examples: cuzk-bench stress winning request.json --clients 1000 --requests 20000 --interval 5000\n"
      "          cuzk-bench stress --mix porep=c1.json:1 --mix winning=request.json:9 --rate 2 --requests 200\n"
      "          cuzk-bench stress winning request.json --rate 5 --ramp --html ramp.html\n"
      "          cuzk-bench stress winning request.json --clients 1,2,4,8 --requests 100 --warmup 10\n"
      "Exit status 1: a request failed. Refusals (the daemon is full) are counted and no failure.");
  command->callback([options, &status] { run_stress(*options, status); });
}

}  // namespace cuzk::apps
