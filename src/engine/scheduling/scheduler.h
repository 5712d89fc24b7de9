/// What runs where and when: a pure function of what has happened. Events come in with their times, decisions go out;
/// no thread, no clock, no input or output. The same events give the same decisions.
///
///     on an event of the engine, or at next_wakeup():
///       for (const Decision& decision : scheduler.handle(now, event)) carry it out; report with further events
///
/// **Order.** CRITICAL before HIGH before NORMAL before LOW; inside a priority the earliest deadline, then the order of
/// arrival. Who waits rises (SchedulerPolicy::aging_step). A job that cannot start now (its key is being loaded, its
/// kind is at its limit) does not hold up the others; a job that lacks memory does, for those below it, until what runs
/// has made room: else the small would pass it for ever. Batches that are stalled are not waited for.
///
/// **Urgent jobs**, those of priority CRITICAL that fit into urgent_memory and urgent_host, have lanes and memory of
/// their own and start at once beside what runs. Where those are taken, a batch of lower priority is preempted. A job that
/// becomes urgent while it waits for its turn to prove in an ordinary lane is moved to an urgent one, once one is free.
///
/// **Batches.** Up to max_batch_size partitions of one circuit and one priority start together. They wait for partners
/// while their device has other work, at most max_batch_wait; HIGH and CRITICAL, a near deadline or an idle device end
/// the wait. Partitions are shared out among the free lanes of the devices that have their key.
///
/// **Keys.** A job runs where its key is. A key that no device has is loaded where it costs least: into free memory, else
/// in place of keys that nobody waits for, else of those whose jobs may be made to wait (KeyOrder); of several the one
/// that is cheapest to load again for what it frees and the time that it has been unused. A key is copied to another
/// device with a free lane when enough partitions wait, where it could not be loaded not soon again. No key is evicted
/// that a batch uses. Where a load finds no room that the budget had, keys that nothing uses go and it is tried again.
///
/// **Memory.** What a job may hold is known before it starts and set aside until it ends; neither host_budget nor a
/// device's memory is ever exceeded. On a device that is its keys, what is proved in urgent lanes, and the largest that is
/// proved in the others, which take turns; one that is stalled may never end, so that nothing starts or is loaded that
/// does not fit beside it. A job that can never fit on any device is refused at once. No deadlock: a job starts only with the
/// memory for its longest-held part and one partition, so the job that started last can always go on.
///
/// **Ends.** Every job that was not refused gets exactly one EndJob. Cancel and deadline end a waiting job at once, a
/// running one when its partitions have been reported (StopJob asks for that). When a device is lost, its partitions run
/// elsewhere; jobs that no remaining device can run wait for one that can, or for their deadline.
///
/// Cost: O(log jobs + circuits x devices) an event, more only for decisions made; about 700 bytes a job.
/// Threads: one at a time.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "engine/scheduling/memory_usage.h"
#include "engine/scheduling/messages.h"
#include "engine/scheduling/policy.h"

namespace cuzk::engine {

struct SchedulerState;

/// What is in use, for status answers.
struct SchedulerUsage {
  struct OfKind {
    u32 queued = 0;   ///< jobs of which nothing has run
    u32 running = 0;  ///< jobs that have started and not ended
  };

  std::array<OfKind, kKinds.size()> kinds{};
  u64 host_bytes = 0, input_bytes = 0;
};

class Scheduler {
 public:
  /// Throws Error{invalid_input} for a policy that cannot be.
  explicit Scheduler(const SchedulerPolicy& policy);
  ~Scheduler();
  Scheduler(Scheduler&&) noexcept;

  /// Times never go back: an earlier one is taken for the latest. Throws Error{internal} for a ticket or a device that
  /// is known already: the caller's mistake.
  std::vector<Decision> handle(Time now, const Event& event);

  /// When to come back with a Tick though nothing has happened: a deadline, a rise, the end of a wait.
  std::optional<Time> next_wakeup() const;

  /// Jobs that go before this one; nothing when it does not wait. O(log jobs).
  std::optional<std::size_t> queue_position(Ticket ticket) const;

  SchedulerUsage usage() const;
  MemoryUsage memory() const;

  /// When to come back with a job of this kind where too many wait.
  Duration retry_after(Kind kind) const;

 private:
  std::unique_ptr<SchedulerState> state_;
};

}  // namespace cuzk::engine
