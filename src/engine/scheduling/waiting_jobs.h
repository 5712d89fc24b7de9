/// The jobs that are not at their end, and the order in which those with waiting partitions go.
#pragma once

#include <cstddef>
#include <ext/pb_ds/assoc_container.hpp>
#include <ext/pb_ds/tree_policy.hpp>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/scheduling/messages.h"
#include "engine/scheduling/policy.h"
#include "engine/scheduling/pooled_memory.h"
#include "engine/scheduling/scheduler.h"

namespace cuzk::engine {

/// Whose turn it is: the smaller one's. Unique, as the number is.
struct Rank {
  Priority priority = Priority::low;
  Time due;
  u64 number = 0;  ///< of arrival
  Ticket ticket = 0;

  friend bool operator<(const Rank& a, const Rank& b) {
    if (a.priority != b.priority) return a.priority > b.priority;
    if (a.due != b.due) return a.due < b.due;
    return a.number < b.number;
  }
};

/// A job from its acceptance to its end.
struct ScheduledJob {
  JobSpec spec;
  Time submitted;
  Rank rank;               ///< with the priority that it has risen to
  u32 untouched = 0;       ///< partitions from this one on have never been started
  std::vector<u32> again;  ///< partitions that were given back
  u32 running = 0, proved = 0;
  u32 losses = 0, preemptions = 0;
  std::optional<Time> rises;     ///< to the next priority
  std::optional<Pool> host;      ///< where host_job is taken from; nothing before the first start
  std::optional<JobEnd> ending;  ///< it ends when nothing of it runs any more
  std::string message;

  u32 waiting() const { return spec.partitions - untouched + static_cast<u32>(again.size()); }
  bool started() const { return host.has_value(); }
};

/// The waiting jobs of one circuit.
struct CircuitQueue {
  std::string circuit;
  std::set<Rank> waiting;          ///< jobs with waiting partitions
  std::set<Rank> started;          ///< those of them that hold memory already
  std::map<u64, Ticket> arrivals;  ///< the same as waiting, the oldest first
  u64 partitions = 0;              ///< that wait
};

class WaitingJobs {
 public:
  explicit WaitingJobs(const SchedulerPolicy& policy) : policy_(policy) {}

  ScheduledJob& add(const JobSpec& spec, Time now);
  ScheduledJob* find(Ticket ticket);
  ScheduledJob& at(Ticket ticket);

  /// The next partition of a job that has one waiting.
  u32 take_partition(ScheduledJob& job);
  /// A partition waits again.
  void give_back(ScheduledJob& job, u32 partition);
  /// Host memory is held from now on.
  void start(ScheduledJob& job, Pool pool);
  /// Its partitions wait no more.
  void withdraw(ScheduledJob& job);
  void erase(ScheduledJob& job);
  /// The higher priority and the later deadline.
  void join(ScheduledJob& job, Priority priority, std::optional<Time> deadline, Time now);
  /// The earlier time.
  void await(ScheduledJob& job, Time wanted, Time now);

  /// Lets everyone rise whose time has come.
  void promote(Time now);
  /// Jobs whose deadline has come and that do not end already.
  std::vector<Ticket> expired(Time now) const;
  std::optional<Time> next_change() const;

  std::optional<std::size_t> position(Ticket ticket) const;

  /// Those with waiting partitions, the highest rank first.
  std::vector<CircuitQueue*> circuits_by_rank();
  /// Null when no job ever named it.
  CircuitQueue* circuit(const std::string& id);
  const std::unordered_map<Ticket, ScheduledJob>& all() const { return jobs_; }

  /// Of a kind: those that have not started, and the others.
  SchedulerUsage::OfKind count(Kind kind) const { return counts_[static_cast<std::size_t>(kind)]; }

 private:
  using Order = __gnu_pbds::tree<Rank, __gnu_pbds::null_type, std::less<>, __gnu_pbds::rb_tree_tag,
                                 __gnu_pbds::tree_order_statistics_node_update>;

  CircuitQueue& queue_of(const ScheduledJob& job) { return circuits_.at(job.spec.circuit); }
  Rank rank_of(const ScheduledJob& job, Time now) const;
  void insert(ScheduledJob& job);
  void remove(ScheduledJob& job);
  void rerank(ScheduledJob& job, Time now);
  void watch(ScheduledJob& job, Time now);
  void unwatch(ScheduledJob& job);

  const SchedulerPolicy& policy_;
  std::unordered_map<Ticket, ScheduledJob> jobs_;
  std::map<std::string, CircuitQueue> circuits_;
  Order order_;  // of all that wait
  std::set<std::pair<Time, Ticket>> deadlines_, rises_;
  std::array<SchedulerUsage::OfKind, kKinds.size()> counts_{};
  u64 next_number_ = 0;
};

}  // namespace cuzk::engine
