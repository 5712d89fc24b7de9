#include "engine/scheduling/scheduler.h"

#include <algorithm>
#include <set>

#include "base/error.h"
#include "engine/scheduling/admission.h"
#include "engine/scheduling/placement.h"
#include "engine/scheduling/state.h"

namespace cuzk::engine {

namespace {

/// Takes one event in: what follows from it at once. What can start now is Placement's.
class Reaction {
 public:
  Reaction(SchedulerState& state, std::vector<Decision>& decisions) : state_(state), decisions_(decisions) {}

  void operator()(const JobSubmitted& event) {
    if (auto refused = refusal(state_, event.job)) {
      decisions_.emplace_back(std::move(*refused));
      return;
    }
    state_.jobs.add(event.job, state_.now);
    state_.input_bytes += event.job.input_bytes;
    state_.input_bytes_of[static_cast<std::size_t>(event.job.kind)] += event.job.input_bytes;
  }

  void operator()(const JobJoined& event) {
    ScheduledJob* job = state_.jobs.find(event.ticket);
    if (job != nullptr && !job->ending) state_.jobs.join(*job, event.priority, event.deadline, state_.now);
  }

  void operator()(const JobAwaited& event) {
    ScheduledJob* job = state_.jobs.find(event.ticket);
    if (job != nullptr && !job->ending) state_.jobs.await(*job, event.wanted, state_.now);
  }

  void operator()(const JobCancelled& event) {
    ScheduledJob* job = state_.jobs.find(event.ticket);
    if (job == nullptr) return;
    end(*job, JobEnd::cancelled);
    settle(*job);
  }

  void operator()(const PartitionEnded& event) {
    const auto found = state_.batches.find(event.batch);
    if (found == state_.batches.end()) return;
    RunningBatch& batch = found->second;
    const PartitionOfJob reported{event.ticket, event.partition};
    const auto partition = std::find_if(batch.partitions.begin(), batch.partitions.end(),
                                        [&](const RunningPartition& each) { return each.what == reported; });
    if (partition == batch.partitions.end()) return;
    ScheduledJob& job = state_.jobs.at(event.ticket);
    free_memory(job, *partition);
    batch.partitions.erase(partition);
    batch.progressed = state_.now;
    account(job, event, batch);
    if (batch.partitions.empty()) free_lane(found);
    settle(job);
  }

  void operator()(const BatchAdvanced& event) {
    const auto batch = state_.batches.find(event.batch);
    if (batch == state_.batches.end()) return;
    batch->second.progressed = state_.now;
    if (batch->second.move == RunningBatch::Move::asked) batch->second.move = RunningBatch::Move::refused;
  }

  void operator()(const DeviceAdded& event) {
    if (event.device.urgent_memory > event.device.memory) {
      throw invalid_input("scheduler: device {}: urgent_memory is {} bytes of {}", event.device.id,
                          event.device.urgent_memory, event.device.memory);
    }
    if (!state_.devices.try_emplace(event.device.id, event.device).second)
      throw internal_error("scheduler: device {} was added twice", event.device.id);
  }

  void operator()(const DeviceLost& event) {
    const auto device = state_.devices.find(event.device);
    if (device == state_.devices.end()) return;
    std::set<Ticket> hit;
    for (const auto& lane : device->second.lanes)
      if (lane) lose(*lane, hit);
    for (const Ticket ticket : hit) count_loss(state_.jobs.at(ticket));
    state_.devices.erase(device);
  }

  void operator()(const KeyLoaded& event) {
    DeviceKey* key = find_key(event.device, event.circuit);
    if (key == nullptr || key->state != DeviceKey::State::loading) return;
    key->state = DeviceKey::State::resident;
    key->loaded = key->used = state_.now;
    DeviceState& device = state_.devices.at(event.device);
    device.failed_loads.erase(event.circuit);
    device.is_tight = false;
  }

  void operator()(const KeyLoadFailed& event) {
    const DeviceKey* key = find_key(event.device, event.circuit);
    if (key == nullptr || key->state != DeviceKey::State::loading) return;
    forget_key(event.device, event.circuit);
    DeviceState& device = state_.devices.at(event.device);
    device.failed_loads[event.circuit] = state_.now;
    if (is_held(event.circuit)) return;
    if (event.cause == KeyLoadFailed::Cause::room && leaves_room(device)) return;  // it is tried again then
    fail_all(event.circuit, event.message);
  }

  void operator()(const KeyEvicted& event) {
    const DeviceKey* key = find_key(event.device, event.circuit);
    if (key != nullptr && key->state == DeviceKey::State::evicting) forget_key(event.device, event.circuit);
  }

  void operator()(const KeyWanted& event) {
    const auto device = state_.devices.find(event.device);
    if (device == state_.devices.end()) return refuse(event.device, event.circuit, "there is no such device");
    if (const DeviceKey* key = find_key(event.device, event.circuit)) {
      if (key->state == DeviceKey::State::evicting) refuse(event.device, event.circuit, "it is being evicted");
      return;
    }
    state_.wanted.push_back(event);
  }

  void operator()(const KeyUnwanted& event) {
    DeviceKey* key = find_key(event.device, event.circuit);
    if (key == nullptr) return refuse(event.device, event.circuit, "it is not loaded");
    if (key->state == DeviceKey::State::loading) return refuse(event.device, event.circuit, "it is being loaded");
    if (key->batches > 0) return refuse(event.device, event.circuit, fmt::format("{} batches use it", key->batches));
    if (key->state == DeviceKey::State::evicting) return;
    key->state = DeviceKey::State::evicting;
    decisions_.emplace_back(EvictKey{event.device, event.circuit});
  }

  void operator()(const Tick&) {}

  void expire() {
    for (const Ticket ticket : state_.jobs.expired(state_.now)) {
      ScheduledJob& job = state_.jobs.at(ticket);
      end(job, JobEnd::expired);
      settle(job);
    }
  }

 private:
  void refuse(DeviceId device, const std::string& circuit, const std::string& why) {
    decisions_.emplace_back(KeyRefused{device, circuit, "the key of " + circuit + ": " + why});
  }

  /// Nothing more of the job is started; settle() lets it go.
  void end(ScheduledJob& job, JobEnd how, const std::string& message = {}) {
    if (job.ending) return;
    state_.jobs.withdraw(job);
    job.ending = how;
    job.message = message;
    if (job.running > 0) decisions_.emplace_back(StopJob{job.spec.ticket, how});
  }

  /// Forgets the job if nothing of it is left to run.
  void settle(ScheduledJob& job) {
    if (job.running > 0) return;
    if (!job.ending && job.proved < job.spec.partitions) return;
    const JobEnd how = job.ending.value_or(JobEnd::completed);
    decisions_.emplace_back(EndJob{job.spec.ticket, how, job.message});
    note_completion(job.spec.kind);
    if (job.host) {
      state_.host.give(*job.host, job.spec.memory.host_job);
      if (*job.host == Pool::ordinary) state_.host_of_jobs -= job.spec.memory.host_job;
    }
    state_.input_bytes -= job.spec.input_bytes;
    state_.input_bytes_of[static_cast<std::size_t>(job.spec.kind)] -= job.spec.input_bytes;
    state_.jobs.erase(job);
  }

  void note_completion(Kind kind) {
    CompletionRate& rate = state_.rates[static_cast<std::size_t>(kind)];
    if (rate.last) rate.interval = (3 * rate.interval + (state_.now - *rate.last)) / 4;
    rate.last = state_.now;
  }

  void account(ScheduledJob& job, const PartitionEnded& event, const RunningBatch& batch) {
    using Outcome = PartitionEnded::Outcome;
    if (event.outcome == Outcome::proved) {
      --job.running;
      ++job.proved;
    } else if (event.outcome == Outcome::failed) {
      --job.running;
      end(job, JobEnd::failed);
    } else {
      if (batch.preemption == RunningBatch::Preemption::asked) ++job.preemptions;
      return_partition(job, event.partition);
    }
  }

  void return_partition(ScheduledJob& job, u32 partition) {
    if (job.ending) {
      --job.running;
    } else {
      state_.jobs.give_back(job, partition);
    }
  }

  void free_memory(const ScheduledJob& job, const RunningPartition& partition) {
    state_.host.give(partition.host, job.spec.memory.host_partition);
  }

  void free_lane(std::map<BatchId, RunningBatch>::iterator batch) {
    DeviceState& device = state_.devices.at(batch->second.device);
    device.lanes[batch->second.lane].reset();
    DeviceKey& key = device.keys.at(batch->second.circuit);
    --key.batches;
    key.used = state_.now;
    state_.batches.erase(batch);
  }

  /// A batch is lost with its device. Adds its jobs to `hit`.
  void lose(BatchId id, std::set<Ticket>& hit) {
    const auto found = state_.batches.find(id);
    const auto partitions = std::move(found->second.partitions);
    for (const auto& partition : partitions) {
      ScheduledJob& job = state_.jobs.at(partition.what.ticket);
      free_memory(job, partition);
      return_partition(job, partition.what.partition);
      hit.insert(partition.what.ticket);
    }
    state_.batches.erase(found);
  }

  /// One under which too many devices were lost is perhaps what they die of.
  void count_loss(ScheduledJob& job) {
    if (++job.losses > state_.policy.max_losses)
      end(job, JobEnd::failed, fmt::format("{} devices were lost while they proved it", job.losses));
    settle(job);
  }

  DeviceKey* find_key(DeviceId id, const std::string& circuit) {
    const auto device = state_.devices.find(id);
    return device == state_.devices.end() ? nullptr : state_.key(device->second, circuit);
  }

  void forget_key(DeviceId id, const std::string& circuit) {
    DeviceState& device = state_.devices.at(id);
    const DeviceKey& key = device.keys.at(circuit);
    device.memory.give(key.pool, key.bytes);
    device.keys.erase(circuit);
  }

  /// A load found no room though the budget had some: keys that nothing uses go. False when there are none.
  bool leaves_room(DeviceState& device) {
    device.is_tight = true;
    for (auto& [circuit, key] : device.keys) {
      if (key.state != DeviceKey::State::resident || key.batches > 0) continue;
      key.state = DeviceKey::State::evicting;
      decisions_.emplace_back(EvictKey{device.spec.id, circuit});
    }
    return device.is_evicting();
  }

  bool is_held(const std::string& circuit) const {
    return std::any_of(state_.devices.begin(), state_.devices.end(),
                       [&](const auto& device) { return device.second.keys.contains(circuit); });
  }

  void fail_all(const std::string& circuit, const std::string& message) {
    const CircuitQueue* queue = state_.jobs.circuit(circuit);
    if (queue == nullptr) return;
    const std::set<Rank> waiting = queue->waiting;  // a copy: they leave it
    for (const Rank& rank : waiting) {
      ScheduledJob& job = state_.jobs.at(rank.ticket);
      end(job, JobEnd::failed, message);
      settle(job);
    }
  }

  SchedulerState& state_;
  std::vector<Decision>& decisions_;
};

}  // namespace

Scheduler::Scheduler(const SchedulerPolicy& policy) {
  check(policy);
  state_ = std::make_unique<SchedulerState>(policy);
}

Scheduler::~Scheduler() = default;
Scheduler::Scheduler(Scheduler&&) noexcept = default;

std::vector<Decision> Scheduler::handle(Time now, const Event& event) {
  state_->now = std::max(now, state_->now);
  std::vector<Decision> decisions;
  Reaction reaction(*state_, decisions);
  std::visit(reaction, event);
  reaction.expire();
  state_->jobs.promote(state_->now);
  Placement(*state_, decisions).run();
  return decisions;
}

std::optional<Time> Scheduler::next_wakeup() const {
  const auto change = state_->jobs.next_change();
  if (!change || !state_->next_placement) return change ? change : state_->next_placement;
  return std::min(*change, *state_->next_placement);
}

std::optional<std::size_t> Scheduler::queue_position(Ticket ticket) const { return state_->jobs.position(ticket); }

Duration Scheduler::retry_after(Kind kind) const { return engine::retry_after(*state_, kind); }

MemoryUsage Scheduler::memory() const { return memory_usage(*state_); }

SchedulerUsage Scheduler::usage() const {
  SchedulerUsage usage;
  for (const Kind kind : kKinds) usage.kinds[static_cast<std::size_t>(kind)] = state_->jobs.count(kind);
  usage.host_bytes = state_->host.used();
  usage.input_bytes = state_->input_bytes;
  return usage;
}

}  // namespace cuzk::engine
