/// Drives a scheduler by hand: time passes when the test says so, decisions are kept by type, batches are ended by name.
#pragma once

#include <gtest/gtest.h>

#include <optional>
#include <vector>

#include "engine/scheduling/scheduler.h"

namespace cuzk::engine {

using namespace std::chrono_literals;

inline constexpr u64 kGiB = u64{1} << 30;

/// A sector of PoRep as on a large card, but for what a test changes.
inline JobSpec porep(Ticket ticket, u32 partitions = 10) {
  JobSpec job;
  job.ticket = ticket;
  job.circuit = "porep-32g";
  job.partitions = partitions;
  job.input_bytes = 51 << 20;
  job.memory = {kGiB / 4, kGiB, 20 * kGiB, 44 * kGiB};
  return job;
}

inline JobSpec snap(Ticket ticket, u32 partitions = 16) {
  JobSpec job = porep(ticket, partitions);
  job.kind = Kind::snap;
  job.circuit = "snap-32g";
  job.memory = {kGiB / 4, kGiB, 20 * kGiB, 33 * kGiB};
  return job;
}

inline JobSpec window(Ticket ticket) {
  JobSpec job = porep(ticket, 1);
  job.kind = Kind::window_post;
  job.priority = Priority::high;
  job.circuit = "wpost-32g";
  job.memory = {kGiB, 4 * kGiB, 20 * kGiB, 57 * kGiB};
  return job;
}

inline JobSpec winning(Ticket ticket) {
  JobSpec job = porep(ticket, 1);
  job.kind = Kind::winning_post;
  job.priority = Priority::critical;
  job.circuit = "winning-32g";
  job.memory = {kGiB / 16, kGiB / 8, kGiB, kGiB / 4};
  return job;
}

inline DeviceSpec card(DeviceId id, u64 memory = 139 * kGiB) { return {id, memory, 4 * kGiB, 1, 1}; }

class SchedulingDriver {
 public:
  explicit SchedulingDriver(const SchedulerPolicy& policy = {}, std::vector<DeviceSpec> devices = {card(0)})
      : scheduler(policy) {
    for (const auto& device : devices) handle(DeviceAdded{device});
  }

  /// Keys load and go at once unless a test wants to say when.
  enum class Keys { at_once, by_hand } keys = Keys::at_once;
  Scheduler scheduler;
  Time now{};
  std::vector<StartBatch> started;
  std::vector<PreemptBatch> preempted;
  std::vector<LoadKey> loads;
  std::vector<EvictKey> evictions;
  std::vector<StopJob> stopped;
  std::vector<EndJob> ended;
  std::vector<RefuseJob> refused;
  std::vector<KeyRefused> keys_refused;

  void handle(const Event& event) {
    for (const auto& decision : scheduler.handle(now, event)) std::visit([this](const auto& d) { take(d); }, decision);
  }

  void submit(const JobSpec& job) { handle(JobSubmitted{job}); }

  /// Time passes, with the wake-ups that the scheduler asked for.
  void pass(Duration time) {
    const Time end = now + time;
    while (const auto wake = scheduler.next_wakeup()) {
      if (*wake > end) break;
      now = std::max(now, *wake);
      handle(Tick{});
    }
    now = end;
    handle(Tick{});
  }

  /// Reports all partitions of a batch.
  void end(const StartBatch& batch, PartitionEnded::Outcome outcome = PartitionEnded::Outcome::proved) {
    const StartBatch copy = batch;  // it may be an element of `started`, which grows
    for (const auto& [ticket, partition] : copy.partitions)
      handle(PartitionEnded{copy.batch, ticket, partition, outcome});
  }

  /// The batch started last.
  const StartBatch& last() const { return started.at(started.size() - 1); }

  std::vector<Ticket> tickets_started() const {
    std::vector<Ticket> result;
    for (const auto& batch : started)
      for (const auto& partition : batch.partitions) result.push_back(partition.ticket);
    return result;
  }

  /// Ends the first batch that runs, and so on, until nothing runs any more. Returns how often.
  std::size_t finish_everything() {
    std::size_t next = 0;
    for (; next < started.size(); ++next) end(started[next]);
    return next;
  }

 private:
  void take(const StartBatch& decision) { started.push_back(decision); }
  void take(const PreemptBatch& decision) { preempted.push_back(decision); }
  void take(const StopJob& decision) { stopped.push_back(decision); }
  void take(const EndJob& decision) { ended.push_back(decision); }
  void take(const RefuseJob& decision) { refused.push_back(decision); }
  void take(const KeyRefused& decision) { keys_refused.push_back(decision); }
  void take(const LoadKey& decision) {
    loads.push_back(decision);
    if (keys == Keys::at_once) handle(KeyLoaded{decision.device, decision.circuit});
  }
  void take(const EvictKey& decision) {
    evictions.push_back(decision);
    if (keys == Keys::at_once) handle(KeyEvicted{decision.device, decision.circuit});
  }
};

}  // namespace cuzk::engine
