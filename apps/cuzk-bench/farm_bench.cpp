#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <map>
#include <memory>
#include <mutex>
#include <thread>

#include "base/error.h"
#include "base/hex.h"
#include "base/random.h"
#include "common/output.h"
#include "farm/queue.h"
#include "farm_load.h"

namespace cuzk::apps {

namespace {

using Clock = std::chrono::steady_clock;
using farm::FarmQueue;

struct FarmBenchOptions {
  unsigned clients = 4, seconds = 10, input_bytes = 10'000, queued = 0, idle = 0;
  bool recovery = false, json = false;
};

/// Times of one operation over all threads, in ms.
class Samples {
 public:
  template <class Work>
  auto time(const std::string& what, Work&& work) {
    const auto begin = Clock::now();
    const auto note = [&] {
      const double ms = std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
      const std::lock_guard lock(mutex_);
      ms_[what].push_back(ms);
    };
    if constexpr (std::is_void_v<decltype(work())>) {
      work();
      note();
    } else {
      auto result = work();
      note();
      return result;
    }
  }

  std::map<std::string, std::vector<double>> sorted() {
    for (auto& [what, ms] : ms_) std::sort(ms.begin(), ms.end());
    return ms_;
  }

 private:
  std::mutex mutex_;
  std::map<std::string, std::vector<double>> ms_;
};

double quantile(const std::vector<double>& sorted, double share) {
  return sorted[static_cast<std::size_t>(share * static_cast<double>(sorted.size() - 1))];
}

farm::NewJob new_job() {
  farm::NewJob job;
  job.id = job.request_id = to_hex(random_bytes<16>());
  job.digest = random_bytes<32>();
  job.circuit = "porep-32g";
  return job;
}

/// The whole way of a job, by one client: submitted, claimed (perhaps another's), its input read, ended, fetched.
void go_round(FarmQueue& queue, Samples& samples, const std::string& input) {
  const auto job = new_job();
  samples.time("submit", [&] { return queue.submit(job, input); });
  const auto claimed = samples.time("claim", [&] { return queue.claim({{"porep-32g"}, 1, engine::Priority::low}); });
  for (const auto& each : claimed) {
    samples.time("input", [&] { return queue.input(each.digest); });
    engine::JobResult result;
    result.state = engine::JobState::completed;
    result.proof.assign(1920, 7);
    samples.time("end", [&] { return queue.end(each.lease, result); });
    samples.time("fetch", [&] { return queue.fetch(each.lease.job); });
  }
}

/// What daemons do that have nothing to prove: heartbeats and claims of nothing.
void idle(FarmQueue& queue, Samples& samples) {
  samples.time("beat", [&] { return queue.beat({"idle", 2, 2, {"snap-32g"}}); });
  samples.time("claim of nothing", [&] { return queue.claim({{}, 1, engine::Priority::critical}); });
}

/// Refuses a database that real daemons use: they would try to prove what is measured with.
void expect_unused(const farm::FarmOptions& options) {
  FarmQueue queue(options, "bench");
  queue.prepare();
  const auto view = queue.view();
  if (view.daemons.empty() && view.queue.empty()) return;
  throw Error(Code::unavailable,
              fmt::format("the database is in use ({} daemons, {} kinds of jobs wait or run): measure with "
                          "one of its own",
                          view.daemons.size(), view.queue.size()));
}

void fill_queue(const farm::FarmOptions& options, unsigned jobs) {
  FarmQueue queue(options, "filler");
  for (unsigned i = 0; i < jobs; ++i) {
    auto job = new_job();
    job.priority = engine::Priority::low;
    queue.submit(job, "x");
  }
}

/// Seconds from a holder's last sign of life to another's claim, with the leases that are configured.
double recover(const farm::FarmOptions& options) {
  FarmQueue dead(options, "dead"), alive(options, "alive");
  dead.beat({"dead", 1, 1, {}});
  dead.submit(new_job(), "x");
  if (dead.claim({{}, 1, engine::Priority::low}).size() != 1) throw internal_error("nothing could be claimed");
  const auto begin = Clock::now();
  for (;;) {
    if (alive.beat({"alive", 1, 1, {}}).sweep_is_due) alive.sweep();
    const auto claimed = alive.claim({{}, 1, engine::Priority::low});
    if (!claimed.empty()) {
      alive.give_back(claimed[0].lease, std::nullopt);
      alive.cancel(claimed[0].lease.job, "measured");
      return std::chrono::duration<double>(Clock::now() - begin).count();
    }
    std::this_thread::sleep_for(options.heartbeat);
  }
}

struct Measured {
  double seconds = 0;
  u64 rounds = 0;
  std::map<std::string, std::vector<double>> ms;  ///< of each operation, sorted
};

/// All threads at once, each with a queue of its own.
Measured measure(const farm::FarmOptions& farm, const FarmBenchOptions& options) {
  Samples samples;
  std::atomic<u64> rounds = 0;
  const std::string input(options.input_bytes, 'i');
  const auto begin = Clock::now();
  const auto until = begin + std::chrono::seconds(options.seconds);
  std::vector<std::jthread> threads;
  for (unsigned i = 0; i < options.clients; ++i) {
    threads.emplace_back([&, i] {
      FarmQueue queue(farm, fmt::format("client{}", i));
      for (; Clock::now() < until; ++rounds) go_round(queue, samples, input);
    });
  }
  for (unsigned i = 0; i < options.idle; ++i) {
    threads.emplace_back([&, i] {
      FarmQueue queue(farm, fmt::format("idle{}", i));
      while (Clock::now() < until) idle(queue, samples);
    });
  }
  threads.clear();
  return {std::chrono::duration<double>(Clock::now() - begin).count(), rounds, samples.sorted()};
}

std::string text_of(const FarmBenchOptions& options, const Measured& measured) {
  std::string text = fmt::format("{} clients, inputs of {} bytes: {:.1f} jobs a second", options.clients,
                                 options.input_bytes, static_cast<double>(measured.rounds) / measured.seconds);
  for (const auto& [what, ms] : measured.ms) {
    text += fmt::format("\n{:<18}{:>9.1f} a second, p50 {:>7.2f} ms, p99 {:>7.2f} ms", what,
                        static_cast<double>(ms.size()) / measured.seconds, quantile(ms, 0.5), quantile(ms, 0.99));
  }
  return text;
}

JsonObject json_of(const FarmBenchOptions& options, const Measured& measured) {
  std::vector<JsonObject> operations;
  for (const auto& [what, ms] : measured.ms) {
    auto& object = operations.emplace_back().add("operation", what);
    object.add("per_second", static_cast<double>(ms.size()) / measured.seconds);
    object.add("p50_ms", quantile(ms, 0.5)).add("p99_ms", quantile(ms, 0.99));
  }
  JsonObject object;
  object.add("clients", options.clients).add("input_bytes", options.input_bytes);
  object.add("jobs_per_second", static_cast<double>(measured.rounds) / measured.seconds);
  return object.add("operations", operations);
}

/// Its address may hold a password: no option that others see in the list of processes.
farm::FarmOptions farm_of_environment() {
  farm::FarmOptions farm;
  const char* postgres = std::getenv("CUZK_FARM_POSTGRES");
  if (postgres != nullptr) farm.postgres = postgres;
  if (!farm.is_on()) throw UsageError("no database: CUZK_FARM_POSTGRES does not name one");
  check(farm);
  return farm;
}

void run_farm_bench(const FarmBenchOptions& options) {
  const auto farm = farm_of_environment();
  expect_unused(farm);
  fill_queue(farm, options.queued);
  const auto measured = measure(farm, options);
  auto text = text_of(options, measured);
  auto object = json_of(options, measured);
  if (options.recovery) {
    const double recovered = recover(farm);
    text += fmt::format("\na dead daemon's job was claimed by another after {:.1f} s", recovered);
    object.add("recovery_seconds", recovered);
  }
  print(options.json ? Form::json : Form::text, object, text);
}

}  // namespace

void add_farm_bench(CLI::App& program, ExitStatus&) {
  auto options = std::make_shared<FarmBenchOptions>();
  auto* command = program.add_subcommand("farm", "How many jobs the database of a farm bears: its real operations");
  const auto add = [command](const char* flag, unsigned& value, const char* text) {
    command->add_option(flag, value, text)->capture_default_str();
  };
  add("--clients", options->clients, "threads, each with a connection, that take jobs all the way");
  add("--seconds", options->seconds, "how long");
  add("--input-bytes", options->input_bytes, "of each job");
  add("--queued", options->queued, "jobs of lower priority that wait meanwhile");
  add("--idle", options->idle, "threads that only beat and claim nothing, as fast as they can");
  command->add_flag("--recovery", options->recovery,
                    "also how long it takes until a dead daemon's job is claimed again");
  command->add_flag("--json", options->json, "print one JSON object");
  command->footer("Example: CUZK_FARM_POSTGRES='host=/run/postgresql dbname=bench' cuzk-bench farm --clients 16");
  command->callback([options] { run_farm_bench(*options); });
}

}  // namespace cuzk::apps
