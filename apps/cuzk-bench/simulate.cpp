#include "simulate.h"

#include <array>
#include <cmath>
#include <ctime>
#include <memory>

#include "base/error.h"
#include "common/output.h"
#include "engine/scheduling/simulation.h"

namespace cuzk::apps {
namespace {

using engine::Kind;
using engine::kKinds;

/// Stage times of one kind, as the command line says them.
struct StageTimes {
  double witness_ms = 0, device_ms = 0, deadline_s = 0;
  u32 partitions = 1;
};

struct SimulateOptions {
  engine::ProviderRates rates;
  engine::ProviderProfile profile = engine::ProviderProfile::measured();
  engine::SimulatedMachine machine;
  std::array<StageTimes, kKinds.size()> times;
  double days = 1, gpu_memory_gib = 139, host_memory_gib = 128, key_gib_a_second = 2;
  u32 max_batch_size = 1, most = 64;
  bool find = false, json = false;
};

double milliseconds(engine::Duration time) { return std::chrono::duration<double, std::milli>(time).count(); }

engine::Duration duration_ms(double ms) {
  return std::chrono::duration_cast<engine::Duration>(std::chrono::duration<double, std::milli>(ms));
}

u64 bytes(double gib) { return static_cast<u64>(std::llround(gib * static_cast<double>(u64{1} << 30))); }

std::size_t index(Kind kind) { return static_cast<std::size_t>(kind); }

/// What the options start from: the measured figures.
void fill_times(SimulateOptions& options) {
  for (const Kind kind : kKinds) {
    const auto& profile = options.profile.of(kind);
    options.times[index(kind)] = {milliseconds(profile.witness), milliseconds(profile.device),
                                  milliseconds(profile.allowed) / 1000, profile.partitions};
  }
}

void apply(SimulateOptions& options) {
  for (const Kind kind : kKinds) {
    auto& profile = options.profile.of(kind);
    const StageTimes& times = options.times[index(kind)];
    profile.witness = duration_ms(times.witness_ms);
    profile.device = duration_ms(times.device_ms);
    profile.allowed = duration_ms(times.deadline_s * 1000);
    profile.partitions = times.partitions;
  }
  options.rates.length = duration_ms(options.days * 86'400'000);
  options.profile.key_bytes_per_second = bytes(options.key_gib_a_second);
  options.machine.gpu_memory = bytes(options.gpu_memory_gib);
}

engine::SchedulerPolicy policy_of(const SimulateOptions& options) {
  engine::SchedulerPolicy policy;
  policy.host_budget = bytes(options.host_memory_gib);
  policy.max_batch_size = options.max_batch_size;
  return policy;
}

/// As a person says it: "0 ms", "12.3 s", "1.5 h".
std::string show(engine::Duration time) {
  const double ms = milliseconds(time);
  if (ms < 1000) return fmt::format("{:.0f} ms", ms);
  if (ms < 120'000) return fmt::format("{:.1f} s", ms / 1000);
  if (ms < 7'200'000) return fmt::format("{:.1f} min", ms / 60'000);
  return fmt::format("{:.1f} h", ms / 3'600'000);
}

std::string text_of(const SimulateOptions& options, const engine::SimulationReport& report, double cpu_ms) {
  std::string text = fmt::format("{:<13}{:>8}{:>12}{:>12}{:>12}{:>12}{:>8}{:>9}\n", "kind", "jobs", "wait p50",
                                 "wait p99", "wait max", "total p99", "missed", "refused");
  for (const Kind kind : kKinds) {
    const auto& each = report.kinds[index(kind)];
    text +=
        fmt::format("{:<13}{:>8}{:>12}{:>12}{:>12}{:>12}{:>8}{:>9}\n", name(kind), each.jobs, show(each.wait_median),
                    show(each.wait_p99), show(each.wait_most), show(each.total_p99), each.missed, each.refused);
  }
  for (std::size_t i = 0; i < report.devices.size(); ++i) {
    text += fmt::format("gpu {:<3}{:>6.1f}% busy, keys loaded {} times\n", i, 100 * report.devices[i].busy,
                        report.devices[i].key_loads);
  }
  return text + fmt::format("{} days, {} preemptions, {} events in {:.0f} ms of CPU", options.days, report.preemptions,
                            report.events, cpu_ms);
}

JsonObject json_of(const SimulateOptions& options, const engine::SimulationReport& report, double cpu_ms) {
  std::vector<JsonObject> kinds, devices;
  for (const Kind kind : kKinds) {
    const auto& each = report.kinds[index(kind)];
    JsonObject object;
    object.add("kind", name(kind)).add("jobs", each.jobs).add("completed", each.completed);
    object.add("wait_p50_ms", milliseconds(each.wait_median)).add("wait_p99_ms", milliseconds(each.wait_p99));
    object.add("wait_max_ms", milliseconds(each.wait_most)).add("total_p99_ms", milliseconds(each.total_p99));
    kinds.push_back(object.add("missed", each.missed).add("refused", each.refused));
  }
  for (const auto& device : report.devices) {
    JsonObject object;
    devices.push_back(object.add("busy", device.busy).add("key_loads", device.key_loads));
  }
  JsonObject object;
  object.add("gpus", options.machine.gpus).add("days", options.days).add("kinds", kinds).add("devices", devices);
  object.add("preemptions", report.preemptions).add("events", report.events);
  return object.add("all_in_time", report.all_in_time()).add("cpu_ms", cpu_ms);
}

/// The number that is asked for, or Error when there is none.
u32 find_gpus(const SimulateOptions& options) {
  const auto gpus =
      engine::gpus_needed(options.rates, options.profile, options.machine, policy_of(options), options.most);
  if (gpus) return *gpus;
  throw Error(
      Code::resource_exhausted,
      fmt::format("{} GPUs are not enough for this load: see what is late with --gpus {}", options.most, options.most));
}

void run_simulate(SimulateOptions options, ExitStatus& status) {
  apply(options);
  if (options.find) options.machine.gpus = find_gpus(options);
  const std::clock_t begin = std::clock();
  const auto report = engine::simulate(options.rates, options.profile, options.machine, policy_of(options));
  const double cpu_ms = 1000.0 * static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  std::string text = text_of(options, report, cpu_ms);
  if (options.find)
    text += fmt::format("\n{} GPU{} needed", options.machine.gpus, options.machine.gpus == 1 ? " is" : "s are");
  print(options.json ? Form::json : Form::text, json_of(options, report, cpu_ms), text);
  if (!report.all_in_time()) status = kFailed;
}

void add_rate_options(CLI::App& command, SimulateOptions& options) {
  const auto add = [&command](const char* flag, auto& value, const char* text) {
    command.add_option(flag, value, text)->check(CLI::NonNegativeNumber)->capture_default_str();
  };
  add("--sectors-per-hour", options.rates.sectors_an_hour, "PoRep proofs of new sectors");
  add("--snaps-per-hour", options.rates.snaps_an_hour, "SnapDeals updates");
  add("--windows-per-day", options.rates.windows_a_day, "WindowPoSt deadlines");
  add("--window-partitions", options.rates.window_partitions, "partitions of each WindowPoSt deadline");
  add("--winnings-per-hour", options.rates.winnings_an_hour, "WinningPoSt proofs");
  add("--seed", options.rates.seed, "another seed is another day");
  command.add_option("--days", options.days, "how long")->check(CLI::Range(0.001, 366.0))->capture_default_str();
}

void add_machine_options(CLI::App& command, SimulateOptions& options) {
  const auto add = [&command](const char* flag, auto& value, const char* text) {
    command.add_option(flag, value, text)->check(CLI::PositiveNumber)->capture_default_str();
  };
  auto* gpus = command.add_option("--gpus", options.machine.gpus, "how many")->check(CLI::Range(1, 1024));
  gpus->capture_default_str();
  command.add_flag("--find", options.find, "the fewest with which nothing is late")->excludes(gpus);
  add("--most", options.most, "--find: no more than this");
  add("--gpu-memory", options.gpu_memory_gib, "GiB of each GPU");
  add("--host-memory", options.host_memory_gib, "GiB that running jobs may hold");
  add("--lanes", options.machine.lanes, "batches at a time on each GPU, beside the urgent lane");
  add("--max-batch-size", options.max_batch_size, "partitions that share a key's reading");
  add("--key-speed", options.key_gib_a_second, "GiB a second when a key is loaded");
}

void add_time_options(CLI::App& command, SimulateOptions& options) {
  static constexpr std::array kPrefixes{"porep", "snap", "window", "winning"};
  for (const Kind kind : kKinds) {
    StageTimes& times = options.times[index(kind)];
    const std::string prefix = fmt::format("--{}-", kPrefixes[index(kind)]);
    const auto add = [&](const char* what, auto& value, const char* text) {
      command.add_option(prefix + what, value, text)
          ->check(CLI::PositiveNumber)
          ->capture_default_str()
          ->group("Stage times");
    };
    add("witness-ms", times.witness_ms, "of one partition, on the host");
    add("device-ms", times.device_ms, "of one partition");
    add("deadline-s", times.deadline_s, "from the request to its deadline");
    if (kind != Kind::window_post) add("partitions", times.partitions, "of one proof");
  }
}

}  // namespace

void add_simulate(CLI::App& program, ExitStatus& status) {
  auto options = std::make_shared<SimulateOptions>();
  fill_times(*options);
  auto* command = program.add_subcommand("simulate", "Runs the scheduler through days of a provider's load, on paper");
  add_rate_options(*command, *options);
  add_machine_options(*command, *options);
  add_time_options(*command, *options);
  command->add_flag("--json", options->json, "print one JSON object");
  command->footer(
      "Exit status 1 when a deadline is missed. Times of stages default to what was measured on one H200.\n"
      "Example: cuzk-bench simulate --sectors-per-hour 100 --find");
  command->callback([options, &status] { run_simulate(*options, status); });
}

}  // namespace cuzk::apps
