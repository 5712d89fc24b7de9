#include "simulate.h"

#include <array>
#include <cmath>
#include <ctime>
#include <memory>

#include "base/error.h"
#include "engine/scheduling/simulation.h"
#include "measure/measured.h"
#include "sizing.h"

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
  measure::MeasureOptions measure{.warmup = 0, .samples = 1};
  engine::ProviderRates rates;
  engine::ProviderProfile profile = engine::ProviderProfile::measured();
  engine::SimulatedMachine machine;
  std::array<StageTimes, kKinds.size()> times;
  double days = 1, months = 3, gpu_memory_gib = 139, host_memory_gib = 128, key_gib_a_second = 2;
  std::vector<double> tib_a_day;  ///< a row of a table for each; empty: the rates are given
  unsigned card = 0;              ///< GiB; 0: the times are given
  u32 max_batch_size = 1, most = 64;
  bool find = false;
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
  if (options.card != 0) {
    options.profile = profile_of_card(options.card, options.profile);
    for (const Kind kind : kKinds) options.times[index(kind)].device_ms = milliseconds(options.profile.of(kind).device);
  }
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

JsonObject json_of(Kind kind, const engine::SimulatedKind& each) {
  JsonObject object;
  object.add("kind", name(kind)).add("jobs", each.jobs).add("completed", each.completed);
  object.add("wait_p50_ms", milliseconds(each.wait_median)).add("wait_p99_ms", milliseconds(each.wait_p99));
  object.add("wait_max_ms", milliseconds(each.wait_most)).add("total_p99_ms", milliseconds(each.total_p99));
  return object.add("missed", each.missed).add("refused", each.refused);
}

void tell_figures(JsonObject& object, const SimulateOptions& options, const engine::SimulationReport& report) {
  std::vector<JsonObject> kinds, devices;
  for (const Kind kind : kKinds) kinds.push_back(json_of(kind, report.kinds[index(kind)]));
  for (const auto& device : report.devices)
    devices.emplace_back().add("busy", device.busy).add("key_loads", device.key_loads);
  object.add("gpus", report.devices.size()).add("days", options.days).add("kinds", kinds).add("devices", devices);
  object.add("preemptions", report.preemptions).add("events", report.events).add("all_in_time", report.all_in_time());
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

/// One day of a load, or as many as --days says.
engine::SimulationReport run_days(SimulateOptions options) {
  if (options.find) options.machine.gpus = find_gpus(options);
  return engine::simulate(options.rates, options.profile, options.machine, policy_of(options));
}

double mean_busy(const engine::SimulationReport& report) {
  double sum = 0;
  for (const auto& device : report.devices) sum += device.busy;
  return sum / static_cast<double>(report.devices.size());
}

bool has_jobs(const engine::ProviderRates& rates, Kind kind) {
  switch (kind) {
    case Kind::porep: return rates.sectors_an_hour > 0;
    case Kind::snap: return rates.snaps_an_hour > 0;
    case Kind::window_post: return rates.windows_a_day > 0 && rates.window_partitions > 0;
    default: return rates.winnings_an_hour > 0;
  }
}

std::vector<measure::Reading> readings_of(const SimulateOptions& options, const engine::SimulationReport& report) {
  std::vector<measure::Reading> readings{{"gpus", static_cast<double>(report.devices.size()), "GPUs"},
                                         {"busy", 100 * mean_busy(report), "%"}};
  for (const Kind kind : kKinds)
    if (has_jobs(options.rates, kind))
      readings.push_back(
          {fmt::format("{}.total_p99", name(kind)), milliseconds(report.kinds[index(kind)].total_p99) / 1000, "s"});
  return readings;
}

/// Days of different seeds, each a sample.
class Days {
 public:
  explicit Days(SimulateOptions options) : options_(std::move(options)) {}

  std::vector<measure::Reading> sample() {
    last_ = run_days(options_);
    ++options_.rates.seed;
    in_time_ = in_time_ && last_.all_in_time();
    return readings_of(options_, last_);
  }
  measure::Case sampled() {
    return {"simulate", [this] { return [this] { return sample(); }; }};
  }

  const engine::SimulationReport& last() const { return last_; }
  bool in_time() const { return in_time_; }  ///< on all of them

 private:
  SimulateOptions options_;
  engine::SimulationReport last_;
  bool in_time_ = true;
};

/// Whether all were in time.
bool measure_days(const SimulateOptions& options, measure::Recorder& recorder) {
  Days days(options);
  const std::clock_t begin = std::clock();
  recorder.measure(days.sampled());
  const double cpu_ms = 1000.0 * static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  recorder.say(text_of(options, days.last(), cpu_ms));
  const std::size_t gpus = days.last().devices.size();
  if (options.find) recorder.say(fmt::format("{} GPU{} needed", gpus, gpus == 1 ? " is" : "s are"));
  tell_figures(recorder.figures(), options, days.last());
  recorder.figures().add("cpu_ms", cpu_ms);
  return days.in_time();
}

constexpr const char* kSizingColumns = "{:>8}{:>11}{:>18}{:>6}{:>7}{:>13}{:>13}{:>13}";

std::string row(double tib, const SimulateOptions& options, const engine::SimulationReport& report) {
  const auto p99 = [&](Kind kind) { return show(report.kinds[index(kind)].total_p99); };
  return fmt::format(fmt::runtime(kSizingColumns), tib, fmt::format("{:.1f}", options.rates.sectors_an_hour),
                     options.rates.window_partitions, report.devices.size(),
                     fmt::format("{:.0f}%", 100 * mean_busy(report)), p99(Kind::porep), p99(Kind::window_post),
                     p99(Kind::winning_post));
}

/// A row for each amount: what it takes, and how long things take then, at p99.
bool measure_sizing(SimulateOptions options, measure::Recorder& recorder) {
  recorder.say(fmt::format(fmt::runtime(kSizingColumns), "TiB/day", "sectors/h", "window partitions", "GPUs", "busy",
                           "porep", "window", "winning"));
  options.find = true;
  bool in_time = true;
  std::vector<JsonObject> rows;
  for (const double tib : options.tib_a_day) {
    options.rates = rates_of(tib, options.months, options.rates);
    Days days(options);
    measure::Case each = days.sampled();
    each.size = tib;
    each.size_of = "TiB a day";
    recorder.measure(each);
    recorder.say(row(tib, options, days.last()));
    JsonObject& object = rows.emplace_back().add("tib_a_day", tib);
    object.add("sectors_an_hour", options.rates.sectors_an_hour);
    object.add("window_partitions", options.rates.window_partitions);
    tell_figures(object, options, days.last());
    in_time = in_time && days.in_time();
  }
  recorder.figures().add("loads", rows).add("all_in_time", in_time);
  return in_time;
}

void run_simulate(SimulateOptions options, ExitStatus& status) {
  apply(options);
  measure::run_measured("simulate", options.measure, [&](measure::Recorder& recorder) {
    const bool in_time =
        options.tib_a_day.empty() ? measure_days(options, recorder) : measure_sizing(options, recorder);
    if (!in_time) status = kFailed;
  });
}

void add_rate_options(CLI::App& command, SimulateOptions& options) {
  const auto add = [&command](const char* flag, auto& value, const char* text) {
    command.add_option(flag, value, text)->check(CLI::NonNegativeNumber)->capture_default_str();
  };
  add("--sectors-per-hour", options.rates.sectors_an_hour, "PoRep proofs of new sectors");
  command
      .add_option("--tib-per-day", options.tib_a_day,
                  "what is sealed in sectors of 32 GiB, in place of sectors and window partitions: a table of the GPUs "
                  "that each of these takes")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::Range(0.01, 100'000.0));
  add("--months", options.months, "--tib-per-day: since the provider began, which gives its WindowPoSt partitions");
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
  command.add_option("--card", options.card, "times as measured with so many GiB of GPU memory, in place of an H200's")
      ->check(CLI::IsMember(known_cards()));
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
  measure::add_measure_options(*command, options->measure, measure::Switches::none);
  command->footer(
      "Exit status 1 when a deadline is missed. Times of stages default to what was measured on one H200. Samples are "
      "days "
      "of other seeds.\n"
      "Examples: cuzk-bench simulate --sectors-per-hour 100 --find\n"
      "          cuzk-bench simulate --tib-per-day 1,5,10,25,50,100 --card 24 --samples 7 --html sizes.html");
  command->callback([options, &status] { run_simulate(*options, status); });
}

}  // namespace cuzk::apps
