// What holds for every schedule: thousands of random ones, watched by an audit with its own books. CUZK_SCHEDULES says how
// many (2,000 unless it does); a failure names its seed, and CUZK_SCHEDULE_SEED repeats that one alone.
#include <gtest/gtest.h>

#include <cstdlib>
#include <random>

#include "scheduling_audit.h"

namespace cuzk::engine {
namespace {

using namespace std::chrono_literals;
using Outcome = PartitionEnded::Outcome;

u64 setting(const char* name, u64 otherwise) {
  const char* text = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): no other thread
  return text == nullptr ? otherwise : std::stoull(text);
}

constexpr u64 kUnit = 1;  // memory is counted in small numbers here

/// A random provider: jobs, cancellations, devices and keys that fail, an executor that ends things in any order.
class World {
 public:
  explicit World(u64 seed) : random_(seed), policy_(make_policy()), scheduler_(policy_), audit_(policy_) {
    const u64 count = below(3) + 1;
    for (u64 i = 0; i < count; ++i) add_device();
  }

  /// The first thing that was wrong; empty when nothing was.
  std::string run() {
    for (u64 steps = below(150) + 20; steps > 0 && audit_.faults.empty(); --steps) step();
    if (audit_.faults.empty()) drain();
    if (!audit_.faults.empty()) return audit_.faults.front();
    const u64 ends = audit_.ends[JobEnd::completed] + audit_.ends[JobEnd::failed] + audit_.ends[JobEnd::cancelled] +
                     audit_.ends[JobEnd::expired];
    if (ends + audit_.refused != submitted_) return "jobs were lost";
    const auto usage = scheduler_.usage();
    if (usage.host_bytes != 0 || usage.input_bytes != 0) return "memory is held by nobody";
    return "";
  }

  u64 started() const { return audit_.started; }

 private:
  u64 below(u64 bound) { return random_() % bound; }
  bool chance(u64 percent) { return below(100) < percent; }

  SchedulerPolicy make_policy() {
    SchedulerPolicy policy;
    policy.urgent_host = 4 * kUnit;
    policy.host_budget = (20 + below(60)) * kUnit;
    policy.input_budget = 200 * kUnit;
    policy.max_batch_size = chance(50) ? 1 : static_cast<u32>(2 + below(6));
    policy.max_batch_wait = std::chrono::seconds(below(20));
    policy.aging_step = std::chrono::seconds(30 + below(600));
    policy.aging_ceiling = chance(70) ? Priority::normal : Priority::high;
    policy.patience = std::chrono::seconds(600 + below(7200));
    policy.key_order = chance(70) ? KeyOrder::by_type : KeyOrder::by_rank;
    policy.swap_patience = std::chrono::seconds(below(300));
    policy.min_residency = std::chrono::seconds(below(100));
    policy.spread_backlog = static_cast<u32>(1 + below(20));
    policy.stall_after = std::chrono::seconds(60 + below(600));
    for (auto& kind : policy.kinds) {
      if (chance(20)) kind.max_batches = static_cast<u32>(1 + below(2));
      if (chance(20)) kind.max_queued = static_cast<u32>(1 + below(5));
    }
    return policy;
  }

  void tell(const Event& event) {
    audit_.told(now_, event);
    const auto decisions = scheduler_.handle(now_, event);
    audit_.answered(decisions);
    for (const auto& decision : decisions) {
      if (const auto* load = std::get_if<LoadKey>(&decision)) moving_.push_back({load->device, load->circuit, true});
      if (const auto* gone = std::get_if<EvictKey>(&decision)) moving_.push_back({gone->device, gone->circuit, false});
    }
  }

  void step() {
    const u64 dice = below(100);
    if (dice < 25) return submit();
    if (dice < 60) return report(chance(3) ? Outcome::failed : Outcome::proved);
    if (dice < 75) return move_key(chance(3));
    if (dice < 80) return cancel();
    if (dice < 83) return join();
    if (dice < 85) return lose_device();
    if (dice < 87) return add_device();
    if (dice < 89) return want_key();
    if (dice < 97) return pass();
    now_ += std::chrono::seconds(below(600));
    tell(Tick{});
  }

  static constexpr const char* kCircuits[] = {"porep", "snap", "wpost", "winning"};
  static constexpr u64 kKeys[] = {20, 15, 30, 1};

  JobSpec random_job() {
    const u64 kind = below(4);
    JobSpec job;
    job.ticket = ++submitted_;
    job.kind = static_cast<Kind>(kind);
    job.circuit = kCircuits[kind];
    job.partitions = static_cast<u32>(kind < 2 ? 1 + below(12) : 1);
    job.priority = chance(70) ? default_priority(job.kind) : static_cast<Priority>(below(4));
    if (chance(40)) job.deadline = now_ + std::chrono::seconds(1 + below(3000));
    job.input_bytes = below(20) * kUnit;
    job.memory = {below(8), 1 + below(8), 1 + below(12), kKeys[kind]};
    if (job.kind == Kind::winning_post) job.memory = {1, 1, 1, kKeys[kind]};
    for (DeviceId id = 2; id < 60; id += 3)  // these stream the large keys from the host, once they are there
      if (job.memory.key > 1) job.memory.elsewhere.push_back({id, job.memory.device_partition + 2, 0});
    return job;
  }

  void submit() { tell(JobSubmitted{random_job()}); }

  template <class Map>
  auto pick(const Map& map) {
    auto place = map.begin();
    std::advance(place, static_cast<std::ptrdiff_t>(below(map.size())));
    return place->first;
  }

  void want_key() {
    if (audit_.devices.empty()) return;
    const u64 kind = below(4);
    const DeviceId device = pick(audit_.devices);
    const u64 bytes = device % 3 == 2 && kKeys[kind] > 1 ? 0 : kKeys[kind];
    if (chance(80)) return tell(KeyWanted{device, kCircuits[kind], bytes});
    tell(KeyUnwanted{device, kCircuits[kind]});
  }

  void report(Outcome outcome) {
    if (audit_.batches.empty()) return;
    const BatchId id = pick(audit_.batches);
    const auto& batch = audit_.batches.at(id);
    const auto [ticket, partition] = batch.running[below(batch.running.size())];
    const bool stopped = batch.preempted || audit_.jobs.at(ticket).ending;
    if (stopped && outcome == Outcome::proved && chance(70)) outcome = Outcome::given_back;
    tell(PartitionEnded{id, ticket, partition, outcome});
  }

  struct Moving {
    DeviceId device;
    std::string circuit;
    bool in;
  };

  void move_key(bool fails) {
    if (moving_.empty()) return;
    const auto place = moving_.begin() + static_cast<std::ptrdiff_t>(below(moving_.size()));
    const Moving moving = *place;
    moving_.erase(place);
    if (!moving.in) return tell(KeyEvicted{moving.device, moving.circuit});
    if (fails) {
      const auto cause = chance(50) ? KeyLoadFailed::Cause::room : KeyLoadFailed::Cause::key;
      return tell(KeyLoadFailed{moving.device, moving.circuit, "a test says so", cause});
    }
    tell(KeyLoaded{moving.device, moving.circuit});
  }

  void cancel() {
    if (!audit_.jobs.empty()) tell(JobCancelled{pick(audit_.jobs)});
  }

  void join() {
    if (audit_.jobs.empty()) return;
    if (chance(30)) return tell(JobAwaited{pick(audit_.jobs), now_ + std::chrono::seconds(below(3000))});
    std::optional<Time> deadline;
    if (chance(50)) deadline = now_ + std::chrono::seconds(below(3000));
    tell(JobJoined{pick(audit_.jobs), static_cast<Priority>(below(4)), deadline});
  }

  void add_device() {
    if (audit_.devices.size() >= 4) return;
    const u64 memory = 40 + below(80);
    tell(DeviceAdded{{next_device_++, memory, 4, static_cast<u32>(1 + below(3)), static_cast<u32>(1 + below(2))}});
  }

  void lose_device() {
    if (audit_.devices.empty()) return;
    const DeviceId id = pick(audit_.devices);
    std::erase_if(moving_, [id](const Moving& each) { return each.device == id; });
    tell(DeviceLost{id});
  }

  void pass() {
    if (const auto wake = scheduler_.next_wakeup()) now_ = std::max(now_, *wake);
    tell(Tick{});
  }

  /// No more jobs come and nothing fails: everything must come to its end. One device can run whatever was accepted.
  void drain() {
    tell(DeviceAdded{{next_device_++, 120, 4, 2, 1}});
    for (int rounds = 0; !audit_.jobs.empty() && audit_.faults.empty(); ++rounds) {
      if (rounds > 20'000) return audit_.faults.push_back("it goes on for ever");
      if (!moving_.empty()) {
        move_key(false);
      } else if (!audit_.batches.empty()) {
        now_ += 1s;
        report(Outcome::proved);
      } else if (scheduler_.next_wakeup()) {
        pass();
      } else {
        return audit_.faults.push_back("jobs wait for nothing");
      }
    }
  }

  std::mt19937_64 random_;
  const SchedulerPolicy policy_;
  Scheduler scheduler_;
  SchedulingAudit audit_;
  Time now_{};
  std::vector<Moving> moving_;
  u64 submitted_ = 0;
  DeviceId next_device_ = 0;
};

TEST(SchedulingProperties, HoldForRandomSchedules) {
  const u64 only = setting("CUZK_SCHEDULE_SEED", 0);
  const u64 count = setting("CUZK_SCHEDULES", 2'000);
  u64 started = 0;
  for (u64 seed = only != 0 ? only : 1; seed <= (only != 0 ? only : count); ++seed) {
    World world(seed);
    ASSERT_EQ(world.run(), "") << "CUZK_SCHEDULE_SEED=" << seed;
    started += world.started();
  }
  EXPECT_GT(started, only != 0 ? 0 : 10 * count);  // they do something
}

}  // namespace
}  // namespace cuzk::engine
