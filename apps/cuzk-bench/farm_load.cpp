#include "farm_load.h"

#include <ctime>
#include <memory>

#include "common/output.h"
#include "farm/simulation.h"

namespace cuzk::apps {

namespace {

std::string text_of(const farm::FarmLoadReport& report, double cpu_seconds) {
  std::string text = fmt::format("{:<18}{:>12}{:>12}{:>14}\n", "operation", "count", "a second", "most a second");
  double all = 0, commits = 0;
  for (const auto& each : report.operations) {
    text += fmt::format("{:<18}{:>12}{:>12.1f}{:>14}\n", name(each.operation), each.count, each.per_second, each.most);
    all += each.per_second;
    if (waits_for_disk(each.operation)) commits += each.per_second;
  }
  text += fmt::format("{:<18}{:>12}{:>12.1f}{:>14}\n", "together", "", all, report.most_together);
  text += fmt::format("{:<18}{:>12}{:>12.1f}{:>14}\n", "wait for the disk", "", commits, report.most_commits);
  text += fmt::format(
      "{} jobs, {} claimed; wait for a daemon p50 {} ms, p99 {} ms, most {} ms; CRITICAL p99 {} ms, most {} ms\n",
      report.jobs, report.claimed, report.wait_median.count(), report.wait_p99.count(), report.wait_most.count(),
      report.critical_p99.count(), report.critical_most.count());
  return text + fmt::format("devices {:.1f}% busy; {:.0f} s simulated in {:.1f} s of CPU", 100 * report.busy,
                            report.seconds, cpu_seconds);
}

JsonObject json_of(const farm::FarmLoadReport& report, double cpu_seconds) {
  std::vector<JsonObject> operations;
  for (const auto& each : report.operations) {
    auto& object = operations.emplace_back().add("operation", name(each.operation)).add("count", each.count);
    object.add("per_second", each.per_second).add("most_a_second", each.most);
    object.add("waits_for_disk", waits_for_disk(each.operation));
  }
  JsonObject object;
  object.add("operations", operations).add("most_together", report.most_together);
  object.add("most_commits", report.most_commits).add("jobs", report.jobs).add("claimed", report.claimed);
  object.add("wait_p50_ms", report.wait_median.count()).add("wait_p99_ms", report.wait_p99.count());
  object.add("wait_max_ms", report.wait_most.count()).add("critical_p99_ms", report.critical_p99.count());
  object.add("critical_max_ms", report.critical_most.count()).add("busy", report.busy);
  return object.add("seconds", report.seconds).add("cpu_seconds", cpu_seconds);
}

}  // namespace

void add_farm_load(CLI::App& program) {
  struct Options {
    farm::FarmLoad load;
    bool json = false;
  };
  const auto options = std::make_shared<Options>();
  auto* command = program.add_subcommand("simulate-farm", "What daemons of a farm ask of its database, on paper");
  const auto add = [command](const char* flag, auto& value, const char* text) {
    command->add_option(flag, value, text)->check(CLI::PositiveNumber)->capture_default_str();
  };
  add("--daemons", options->load.daemons, "how many, each with one device");
  add("--jobs-per-day", options->load.jobs_a_day, "of all daemons together");
  add("--job-seconds", options->load.job_seconds, "of a device, on average");
  add("--hours", options->load.hours, "how long; the first two are the busy ones of the day");
  add("--seed", options->load.seed, "another seed is another day");
  command->add_flag("--json", options->json, "print one JSON object");
  command->footer("Example: cuzk-bench simulate-farm --daemons 1000 --jobs-per-day 1000000");
  command->callback([options] {
    const std::clock_t begin = std::clock();
    const auto report = farm::simulate(options->load, {});
    const double cpu = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    print(options->json ? Form::json : Form::text, json_of(report, cpu), text_of(report, cpu));
  });
}

}  // namespace cuzk::apps
