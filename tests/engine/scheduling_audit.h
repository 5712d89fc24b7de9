/// Watches a scheduler's decisions and holds them against what the events say must be so. It has its own books, kept as
/// simply as possible, and shares nothing with the scheduler but its messages and its policy.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "engine/scheduling/scheduler.h"

namespace cuzk::engine {

class SchedulingAudit {
 public:
  enum class Partition : u8 { waiting, running, proved };

  struct Job {
    JobSpec spec;
    Time submitted;
    u64 number = 0;
    std::vector<Partition> partitions;
    bool started = false, ending = false, failed = false;

    bool waits() const {
      return !ending && std::find(partitions.begin(), partitions.end(), Partition::waiting) != partitions.end();
    }
    u64 running() const {
      return static_cast<u64>(std::count(partitions.begin(), partitions.end(), Partition::running));
    }
    u64 host() const { return started ? spec.memory.host_job + running() * spec.memory.host_partition : 0; }
    u64 host_need() const { return spec.memory.host_partition + (started ? 0 : spec.memory.host_job); }
  };

  enum class Key : u8 { loading, resident, evicting };

  struct Device {
    DeviceSpec spec;
    std::map<std::string, Key> keys;
    std::map<std::string, u64> key_bytes;
    std::map<u32, BatchId> lanes;

    bool has(const std::string& circuit) const {
      const auto key = keys.find(circuit);
      return key != keys.end() && key->second == Key::resident;
    }
    bool ordinary_lane() const {
      u32 used = 0;
      for (const auto& [lane, batch] : lanes) used += lane < spec.lanes;
      return used < spec.lanes;
    }
    bool all_urgent_used() const {
      u32 used = 0;
      for (const auto& [lane, batch] : lanes) used += lane >= spec.lanes;
      return used >= spec.urgent_lanes;
    }
  };

  struct Batch {
    StartBatch start;
    std::vector<PartitionOfJob> running;
    bool preempted = false;
    u64 device_bytes = 0;  ///< the most that one of its partitions takes
    Time progressed;
  };

  explicit SchedulingAudit(const SchedulerPolicy& policy) : policy_(policy) {}

  std::map<Ticket, Job> jobs;  ///< accepted and not ended
  std::map<DeviceId, Device> devices;
  std::map<BatchId, Batch> batches;
  std::map<JobEnd, u64> ends;
  u64 started = 0, refused = 0;
  std::vector<std::string> faults;

  /// Before the scheduler is told.
  void told(Time now, const Event& event) {
    now_ = now;
    std::visit([this](const auto& e) { note(e); }, event);
  }

  /// What it answered.
  void answered(const std::vector<Decision>& decisions) {
    for (const auto& decision : decisions) std::visit([this](const auto& d) { take(d); }, decision);
    const auto blocked = first_blocked();
    check_urgent(blocked);
    check_idle(blocked);
  }

 private:
  void fault(const std::string& text) { faults.push_back(text); }

  // Events.
  void note(const JobSubmitted& e) {
    jobs[e.job.ticket] = {e.job, now_, number_++, std::vector<Partition>(e.job.partitions, Partition::waiting)};
  }
  void note(const JobJoined& e) {
    const auto found = jobs.find(e.ticket);
    if (found == jobs.end() || found->second.ending) return;
    JobSpec& spec = found->second.spec;
    spec.priority = std::max(spec.priority, e.priority);
    if (spec.deadline) spec.deadline = e.deadline ? std::max(*spec.deadline, *e.deadline) : e.deadline;
  }
  void note(const JobAwaited& e) {
    const auto found = jobs.find(e.ticket);
    if (found == jobs.end() || found->second.ending) return;
    auto& wanted = found->second.spec.wanted;
    wanted = std::min(e.wanted, wanted.value_or(e.wanted));
  }
  void note(const JobCancelled&) {}
  void note(const PartitionEnded& e) {
    const auto found = batches.find(e.batch);
    if (found == batches.end()) return;
    std::erase(found->second.running, PartitionOfJob{e.ticket, e.partition});
    found->second.progressed = now_;
    Job& job = jobs.at(e.ticket);
    job.partitions[e.partition] = e.outcome == PartitionEnded::Outcome::proved ? Partition::proved : Partition::waiting;
    if (e.outcome == PartitionEnded::Outcome::failed) job.failed = job.ending = true;
    if (!found->second.running.empty()) return;
    devices.at(found->second.start.device).lanes.erase(found->second.start.lane);
    batches.erase(found);
  }
  void note(const BatchAdvanced& e) {
    if (const auto found = batches.find(e.batch); found != batches.end()) found->second.progressed = now_;
  }
  void note(const DeviceAdded& e) { devices[e.device.id].spec = e.device; }
  void note(const DeviceLost& e) {
    for (const auto& [lane, id] : devices.at(e.device).lanes) {
      for (const auto& [ticket, partition] : batches.at(id).running)
        jobs.at(ticket).partitions[partition] = Partition::waiting;
      batches.erase(id);
    }
    devices.erase(e.device);
  }
  void note(const KeyLoaded& e) { devices.at(e.device).keys.at(e.circuit) = Key::resident; }
  void note(const KeyLoadFailed& e) { devices.at(e.device).keys.erase(e.circuit); }
  void note(const KeyEvicted& e) { devices.at(e.device).keys.erase(e.circuit); }
  void note(const KeyWanted& e) {
    const auto device = devices.find(e.device);
    if (device != devices.end() && !device->second.keys.contains(e.circuit))
      device->second.key_bytes[e.circuit] = e.bytes;
  }
  void note(const KeyUnwanted&) {}
  void note(const Tick&) {}

  // Decisions.
  void take(const StartBatch& d) {
    Device& device = devices.at(d.device);
    if (!device.has(d.circuit)) fault("a batch starts without its key");
    if (device.lanes.contains(d.lane)) fault("a batch starts in a lane that is taken");
    if (d.lane >= device.spec.lanes + device.spec.urgent_lanes) fault("a batch starts in a lane that does not exist");
    if (d.partitions.empty() || d.partitions.size() > policy_.max_batch_size) fault("a batch has a wrong size");
    if (d.lane < device.spec.lanes && !d.partitions.empty()) check_inversion(device, d.partitions[0].ticket);
    u64 most = 0;
    for (const auto& [ticket, partition] : d.partitions) {
      start(d, device, ticket, partition);
      most = std::max(most, jobs.at(ticket).spec.memory.on(d.device).partition);
    }
    if (d.lane < device.spec.lanes && keys_of(device) + beside(device) + most > device.spec.memory)
      fault("a batch starts that does not fit");
    device.lanes[d.lane] = d.batch;
    batches[d.batch] = {d, d.partitions, false, most, now_};
    check_memory();
  }

  void start(const StartBatch& d, const Device& device, Ticket ticket, u32 partition) {
    const auto found = jobs.find(ticket);
    if (found == jobs.end()) return fault("a job that has ended starts");
    Job& job = found->second;
    if (job.ending) fault("a job that is to end starts");
    if (job.spec.circuit != d.circuit) fault("a batch has two circuits");
    if (job.partitions.at(partition) != Partition::waiting) fault("a partition starts twice");
    if (d.lane >= device.spec.lanes && job.spec.priority != Priority::critical) fault("an urgent lane is misused");
    job.partitions[partition] = Partition::running;
    job.started = true;
    ++started;
  }

  void take(const PreemptBatch& d) { batches.at(d.batch).preempted = true; }

  void take(const LoadKey& d) {
    Device& device = devices.at(d.device);
    if (device.keys.contains(d.circuit)) fault("a key is loaded twice");
    device.keys[d.circuit] = Key::loading;
    for (const auto& [ticket, job] : jobs)
      if (job.spec.circuit == d.circuit) device.key_bytes[d.circuit] = job.spec.memory.on(d.device).key;
    const bool may_be_urgent = device.key_bytes[d.circuit] <= device.spec.urgent_memory;
    if (!may_be_urgent && keys_of(device) + beside(device) + in_turn(device, Stalled::left_out) > device.spec.memory)
      fault("a key is loaded that does not fit");
    check_memory();
  }

  void take(const EvictKey& d) {
    Device& device = devices.at(d.device);
    if (!device.has(d.circuit)) return fault("a key is evicted that is not there");
    for (const auto& [lane, batch] : device.lanes)
      if (batches.at(batch).start.circuit == d.circuit) fault("a key in use is evicted");
    device.keys[d.circuit] = Key::evicting;
  }

  void take(const StopJob& d) { jobs.at(d.ticket).ending = true; }

  void take(const EndJob& d) {
    const auto found = jobs.find(d.ticket);
    if (found == jobs.end()) return fault("a job ends twice");
    const Job& job = found->second;
    const bool proved = std::all_of(job.partitions.begin(), job.partitions.end(),
                                    [](Partition each) { return each == Partition::proved; });
    if (job.running() > 0) fault("a job ends while it runs");
    if (d.how == JobEnd::completed && !proved) fault("a job completes without all its partitions");
    if (d.how == JobEnd::failed && proved) fault("a job fails whose partitions are proved");
    if (d.how == JobEnd::expired && (!job.spec.deadline || *job.spec.deadline > now_)) fault("a job expires early");
    ++ends[d.how];
    jobs.erase(found);
  }

  void take(const RefuseJob& d) {
    ++refused;
    jobs.erase(d.ticket);
  }

  void take(const KeyRefused&) {}

  // What must hold.
  u64 host_used() const {
    u64 sum = 0;
    for (const auto& [ticket, job] : jobs) sum += job.host();
    return sum;
  }

  u64 keys_of(const Device& device) const {
    u64 sum = 0;
    for (const auto& [circuit, key] : device.keys) sum += device.key_bytes.at(circuit);
    return sum;
  }

  /// Of what is proved in urgent lanes, and of what may never end.
  u64 beside(const Device& device) const {
    u64 sum = 0;
    for (const auto& [lane, id] : device.lanes) {
      const Batch& batch = batches.at(id);
      if (lane >= device.spec.lanes || now_ >= batch.progressed + policy_.stall_after) sum += batch.device_bytes;
    }
    return sum;
  }

  enum class Stalled : u8 { counted, left_out };

  /// Of ordinary lanes, of which one proves at a time.
  u64 in_turn(const Device& device, Stalled stalled) const {
    u64 most = 0;
    for (const auto& [lane, id] : device.lanes) {
      const Batch& batch = batches.at(id);
      if (stalled == Stalled::left_out && now_ >= batch.progressed + policy_.stall_after) continue;
      if (lane < device.spec.lanes) most = std::max(most, batch.device_bytes);
    }
    return most;
  }

  /// Unless something is stalled there.
  u64 device_used(const Device& device) const {
    u64 sum = keys_of(device) + in_turn(device, Stalled::counted);
    for (const auto& [lane, id] : device.lanes)
      if (lane >= device.spec.lanes) sum += batches.at(id).device_bytes;
    return sum;
  }

  void check_memory() {
    if (host_used() > policy_.host_budget) fault("the budget of host memory is exceeded");
    u64 inputs = 0;
    for (const auto& [ticket, job] : jobs) inputs += job.spec.input_bytes;
    if (inputs > policy_.input_budget) fault("the budget of inputs is exceeded");
    for (const auto& [id, device] : devices)
      if (device_used(device) > device.spec.memory) fault("a device's memory is exceeded");
  }

  /// (priority, due, arrival), the smaller going first.
  using Rank = std::tuple<int, Time, u64>;

  Rank rank(const Job& job) const {
    const auto rises = static_cast<int>((now_ - job.submitted) / policy_.aging_step);
    const int own = static_cast<int>(job.spec.priority), ceiling = static_cast<int>(policy_.aging_ceiling);
    Time due = job.submitted + policy_.patience;
    if (job.spec.deadline) due = std::min(due, *job.spec.deadline);
    if (job.spec.wanted) due = std::min(due, *job.spec.wanted);
    return {-std::max(own, std::min(own + rises, ceiling)), due, job.number};
  }

  /// There is host memory now, in the part for everyone.
  bool host_fits(const Job& job, u64 used) const {
    return used + job.host_need() + policy_.urgent_host <= policy_.host_budget;
  }

  bool device_fits(const Device& device, const Job& job) const {
    return keys_of(device) + beside(device) + job.spec.memory.on(device.spec.id).partition +
               device.spec.urgent_memory <=
           device.spec.memory;
  }

  bool has_key_somewhere(const std::string& circuit) const {
    return std::any_of(devices.begin(), devices.end(), [&](const auto& d) { return d.second.has(circuit); });
  }

  /// The first that waits for memory or a key: room is being made for it, and those after it may have to wait.
  std::optional<Rank> first_blocked() const {
    std::optional<Rank> first;
    const u64 host = host_used();
    for (const auto& [id, job] : jobs) {
      if (!job.waits() || (first && *first < rank(job))) continue;
      if (!host_fits(job, host) || !has_key_somewhere(job.spec.circuit) || lacks_room(job)) first = rank(job);
    }
    return first;
  }

  /// A device has its key, but no memory for a partition.
  bool lacks_room(const Job& job) const {
    return std::any_of(devices.begin(), devices.end(), [&](const auto& device) {
      return device.second.has(job.spec.circuit) && !device_fits(device.second, job);
    });
  }

  /// It, or somebody before it, is blocked.
  bool held_up(const Job& job, const std::optional<Rank>& blocked) const { return blocked && *blocked <= rank(job); }

  bool at_limit(const Job& job) const {
    if (job.spec.priority == Priority::critical) return false;
    u64 count = 0;
    for (const auto& [id, batch] : batches) count += jobs.at(batch.running[0].ticket).spec.kind == job.spec.kind;
    return count >= policy_.kinds[static_cast<std::size_t>(job.spec.kind)].max_batches;
  }

  /// Nobody who could have had this place goes before the one who gets it.
  void check_inversion(const Device& device, Ticket ticket) {
    const Job& winner = jobs.at(ticket);
    for (const auto& [id, job] : jobs) {
      if (!job.waits() || rank(job) >= rank(winner) || !device.has(job.spec.circuit)) continue;
      const bool same = job.spec.circuit == winner.spec.circuit;
      if (!same && policy_.max_batch_size > 1 && std::get<0>(rank(job)) == std::get<0>(rank(winner))) continue;
      if (!same && policy_.max_batch_size > 1 && job.spec.priority < policy_.flush_from) continue;
      if (at_limit(job) || held_up(job, first_blocked())) continue;
      fault(fmt::format("job {} starts before job {}", ticket, id));
    }
  }

  /// An urgent job whose key is there does not wait while an urgent lane is free.
  void check_urgent(const std::optional<Rank>& blocked) {
    for (const auto& [id, job] : jobs) {
      if (!job.waits() || job.spec.priority != Priority::critical || job.spec.kind != Kind::winning_post) continue;
      if (at_limit(job) || held_up(job, blocked)) continue;
      for (const auto& [device_id, device] : devices) {
        if (!device.has(job.spec.circuit) || device.all_urgent_used()) continue;
        if (urgent_running() == 0) fault(fmt::format("urgent job {} waits", id));
      }
    }
  }

  u64 urgent_running() const {
    return static_cast<u64>(std::count_if(jobs.begin(), jobs.end(), [](const auto& entry) {
      return entry.second.spec.priority == Priority::critical && entry.second.started;
    }));
  }

  /// No lane is free for a job that could use it.
  void check_idle(const std::optional<Rank>& blocked) {
    if (policy_.max_batch_size > 1) return;
    for (const auto& [id, job] : jobs) {
      if (!job.waits() || at_limit(job) || held_up(job, blocked)) continue;
      for (const auto& [device_id, device] : devices) {
        if (device.has(job.spec.circuit) && device.ordinary_lane() && device_fits(device, job))
          fault(fmt::format("job {} waits though device {} is free", id, device_id));
      }
    }
  }

  const SchedulerPolicy policy_;
  Time now_{};
  u64 number_ = 0;
};

}  // namespace cuzk::engine
