/// The job engine: takes proof requests, runs them as the scheduler decides, keeps what came of them.
///
/// A job is identified by its request id and the digest of its whole input. Asking again for a pair that is queued,
/// running or completed joins that job; after a failure or a cancellation it is a new job, as is the same request id
/// with another input.
///
/// A job's way: journal -> intake (read, checked, compiled) -> scheduler -> lanes of the devices (witness, proof,
/// verification, partition by partition) -> journal -> whoever waits. With a journal, what was accepted is run again
/// after a restart, and a result is told only when it is on the disk.
///
/// A job's partitions go to all devices that have its key. A device whose prover throws Error{device_lost} while there
/// are others proves no more: what ran there runs again on those.
///
/// Threads: any may call any function. Intake, time, and of each device its lanes and keys have threads of their own
/// (device_lanes.h). A job's failure is its result, never an exception. The end of the engine cancels what is queued or
/// running and tells those who wait; with a journal these jobs run again at the next start.
#pragma once

#include <array>
#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "engine/device_lanes.h"
#include "engine/intake.h"
#include "engine/job.h"
#include "engine/job_entry.h"
#include "engine/lane_history.h"
#include "engine/overview.h"
#include "engine/partition_range.h"
#include "engine/request.h"
#include "engine/retention.h"
#include "engine/scheduling/scheduler.h"
#include "engine/statement.h"
#include "engine/waiting_counts.h"
#include "keys/key_store.h"

namespace cuzk::engine {

class Journal;

/// What may change while the engine runs.
struct EngineLimits {
  std::size_t max_queued = 10'000;      ///< jobs of each kind that wait; policy.kinds may say less
  u64 max_queued_bytes = u64{4} << 30;  ///< of all their inputs; of one kind 3/4; 1/16 is for CRITICAL alone
  RetentionLimits retention;            ///< of finished jobs
  std::size_t keep_traces = 1000;       ///< of the newest finished jobs: about 100 bytes a span, 11 spans a partition
};

struct EngineOptions : EngineLimits {
  SchedulerPolicy policy;  ///< input_budget has no effect: max_queued_bytes is looked at earlier
  Duration stuck_after = std::chrono::minutes(5);  ///< a partition proves for so long before others prove beside it
  unsigned intake_threads = 1;                     ///< that read and check requests, beside one for urgent ones
  Journal* journal = nullptr;                      ///< outlives the engine; null: jobs are gone with the process

  /// Told of every job's end before those who wait for it, in the thread that ends it; must neither block nor throw.
  std::function<void(Kind, const JobResult&)> on_end;

  /// Called in a thread of the engine when there has been no job for `idle_after`, once each time; must not throw.
  std::function<void()> on_idle;
  Duration idle_after = std::chrono::minutes(1);
};

/// Counts of one kind of proof.
struct KindCounts {
  Kind kind = Kind::porep;
  u32 pending = 0, running = 0;
  u64 completed = 0, failed = 0, cancelled = 0;
  double seconds = 0;  ///< from acceptance to the end, over the completed ones
};

/// Whether new jobs are taken.
enum class Mode : u8 { accepting, draining };

/// A device as status answers show it.
struct DeviceView {
  groth16::Device device;
  DeviceLanes::State state = DeviceLanes::State::active;
  std::vector<keys::KeyStatus> keys;  ///< that it holds
  u64 reserved_bytes = 0;             ///< of the device's own memory; 0 where memory is the host's
  u64 free_bytes = 0;                 ///< of the reserved ones, that no key and no proof has
};

struct EngineSnapshot {
  std::array<KindCounts, kKinds.size()> kinds;
  std::vector<RunningJob> running;      ///< by the time at which they started
  std::vector<DeviceView> devices;      ///< by the number that workers name
  std::vector<WorkerView> workers;      ///< the lanes of the active devices, of each the one for urgent jobs last
  std::vector<CircuitStatus> circuits;  ///< that are in memory
  std::chrono::seconds uptime{};
  Mode mode = Mode::accepting;
};

class Engine {
 public:
  using Result = JobEntry::Result;
  using Callback = JobEntry::Callback;
  using Recorded = JobEntry::Recorded;

  struct Accepted {
    JobId id;
    std::size_t queue_position;  ///< jobs that go before it, about
    enum class How { enqueued, joined } how;
  };

  /// As long as it lives, its callback may be called; at its end it is called no more, or being called.
  class Subscription {
   public:
    Subscription() = default;
    Subscription(Subscription&& other) noexcept { *this = std::move(other); }
    Subscription& operator=(Subscription&& other) noexcept;
    ~Subscription();

   private:
    friend class Engine;
    Subscription(Engine* engine, JobId id, u64 number) : engine_(engine), id_(std::move(id)), number_(number) {}

    Engine* engine_ = nullptr;
    JobId id_;
    u64 number_ = 0;
  };

  /// What it is given must outlive it. At least one device is regular.
  Engine(const StatementDecoder& decoder, const std::vector<EngineDevice>& devices, EngineOptions options = {});
  ~Engine();
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  /// Throws Error: unavailable (draining, or a kind that is not offered); QueueFull (queue_full.h).
  /// `recorded` is called once, here or in another thread, when the job is on the disk and a crash cannot lose it, or
  /// with why it is not; it must not block. Without a journal it is called here.
  Accepted submit(ProofRequest request, Recorded recorded = {}) {
    return submit(std::move(request), std::move(recorded), std::nullopt);
  }

  /// Only these partitions, as the others are proved elsewhere; they are numbered from 0. Such a job is in no journal.
  Accepted submit_part(ProofRequest request, PartitionRange part) { return submit(std::move(request), {}, part); }

  /// Somebody wants the job sooner: it takes the higher of the two priorities. One that has ended stays as it is. Throws
  /// Error{not_found}.
  void raise(const JobId& id, Priority priority);

  /// Calls `callback` once, when the job has ended: at once in this thread where it has, else later in a thread of the
  /// engine or of one who cancels. The callback must not block. `wanted` is until when the caller waits: inside its
  /// priority, a job that is wanted earlier goes first. Throws Error{not_found} for a job that is not known.
  [[nodiscard]] Subscription when_finished(const JobId& id, Callback callback,
                                           std::optional<Clock::time_point> wanted = std::nullopt);

  /// Waits for the end of a job; null when `until` comes first. Throws Error: not_found; cancelled when `stop` is asked
  /// to (the job goes on).
  Result wait(const JobId& id, std::optional<Clock::time_point> until = std::nullopt, const std::stop_token& stop = {});

  /// Ends a job that has not ended, for everyone who asked for it. A queued one ends at once, a running one soon.
  /// Returns what state it was in; throws Error{not_found}.
  JobState cancel(const JobId& id);

  JobView view(const JobId& id) const;

  /// In the order in which they were accepted.
  enum class Which : u8 { unfinished, all };
  std::vector<JobView> list(Which which) const;

  /// What was measured of a job so far, by start: "queue" until its first partition starts, "decode" with "checks",
  /// "circuit", "key" (its key is read), and for each partition "witness" and "prove" with the prover's own spans and
  /// "verify". Throws Error{not_found} for a job that is not known or whose trace is kept no more.
  std::vector<SpanRecord> trace(const JobId& id) const;

  EngineSnapshot snapshot() const;

  /// What people look at beside the snapshot.
  Overview overview() const;

  /// What the lanes did since the span of that number ended, and what they do; 0: all that is kept. Their times are
  /// told by since_start().
  std::vector<LaneSpan> lane_spans(u64 since) const { return lane_history_.since(since); }
  std::chrono::milliseconds since_start(Clock::time_point time) const;

  std::vector<DeviceView> devices() const;

  /// New limits, from now on: jobs that wait stay, finished ones that are too many are forgotten.
  void set_limits(const EngineLimits& limits);

  /// Takes new jobs or not from now on; returns how many have not ended. An engine that was stopped stays so.
  std::size_t set_mode(Mode mode);

  /// On how many devices a key is wanted: on the one with the fewest keys, or on all that have room for it.
  enum class Copies : u8 { one, all };

  /// Loads a key before it is needed; returns when it is loaded, store: there was nothing to load. Throws Error where no
  /// device has it then: as KeyStore::load; unavailable when it would take the place of keys that are in use; cancelled.
  keys::KeyStore::Loaded::Source preload(const std::string& circuit_id, Copies copies = Copies::all,
                                         const std::stop_token& stop = {});

  /// Frees a key on every device where nothing uses it and returns its bytes there; nothing when it is not loaded. Throws
  /// Error: invalid_input for an id that does not exist, unavailable when it is in use or being loaded wherever it is;
  /// cancelled.
  std::optional<u64> evict(const std::string& circuit_id, const std::stop_token& stop = {});

  /// Takes no more jobs and returns when all that were accepted have ended, or `stop` is asked to.
  void drain(const std::stop_token& stop = {});

  /// Takes no more jobs, cancels those that have not ended and returns when they have.
  void stop();

 private:
  /// Things to do once the mutex is free: telling, writing, starting.
  using After = std::vector<std::function<void()>>;

  /// A batch in a lane; `stop` of an item is asked to when that partition has to end early.
  struct Batch;

  // Jobs (engine.cpp)
  Accepted submit(ProofRequest request, Recorded recorded, std::optional<PartitionRange> only);
  JobPointer join(const Identity& identity, const ProofRequest& request, After& after);
  JobPointer enqueue(ProofRequest request, const InputDigest& digest, std::optional<PartitionRange> only);
  void add(const JobPointer& job);
  void push_to_intake(const JobPointer& job);
  void check_room(const ProofInput& input, Priority priority) const;
  JobPointer find(const JobId& id) const;
  std::size_t jobs_before(const JobEntry& job) const;
  void cancel(JobEntry& job, After& after);
  void end(const JobPointer& job, JobResult result, After& after);
  void settle(JobEntry& job, JobResult result, After& after);
  void forget_expired(After& after);
  void forget_old_traces();
  void unsubscribe(const JobId& id, u64 number);
  void note_wanted(JobEntry& job, Clock::time_point wanted, After& after);
  u64& queued_bytes(Kind kind) { return queued_bytes_[static_cast<std::size_t>(kind)]; }
  KindCounts& counts(Kind kind) { return counts_[static_cast<std::size_t>(kind)]; }
  static JobView show(const JobEntry& job);
  JobOverview show_way(const JobEntry& job) const;
  std::vector<JobPointer> oldest_waiting() const;
  static Lane lane_of(const Batch& batch);
  void note(const Batch& batch, std::size_t item, PartitionView::State state);
  WorkerView show_worker(const DeviceLanes& device, u32 lane, Clock::time_point now) const;

  // The journal (engine_journal.cpp)
  void recover();
  void record(const JobPointer& job);
  void on_recorded(const JobPointer& job, const std::exception_ptr& error);
  void record_end(const JobPointer& job, JobResult result);

  // The scheduler and what it decides (engine_schedule.cpp)
  void take_in(const JobPointer& job);
  JobSpec spec_of(const JobEntry& job, const JobWork& work) const;
  void raise(const JobPointer& job, Priority priority, std::optional<Clock::time_point> deadline, After& after);
  void tell_scheduler(const Event& event, After& after);
  void carry_out(const StartBatch& decision, After& after);
  void carry_out(const PreemptBatch& decision, After& after);
  void carry_out(const LoadKey& decision, After& after);
  void carry_out(const EvictKey& decision, After& after);
  void carry_out(const StopJob& decision, After& after);
  void carry_out(const EndJob& decision, After& after);
  void carry_out(const RefuseJob& decision, After& after);
  void carry_out(const KeyRefused& decision, After& after);
  void start(JobEntry& job, After& after);
  void watch_time(const std::stop_token& stop);

  // What lanes do (engine_lanes.cpp)
  void run_batch(const std::shared_ptr<Batch>& batch);
  static std::size_t together(const Batch& batch);
  void report(const Batch& batch, std::size_t item, PartitionEnded::Outcome outcome);
  template <class Work>
  PartitionEnded::Outcome attempt(Batch& batch, std::size_t item, Work&& work);
  template <class Work>
  PartitionEnded::Outcome outcome_of(Batch& batch, std::size_t item, Work&& work);
  static bool is_stopped(const JobEntry& job, const std::stop_source& stop);
  PartitionEnded::Outcome run_partition(Batch& batch, std::size_t item);
  void prove_partition(Batch& batch, std::size_t item);
  r1cs::Witness make_witness(Batch& batch, std::size_t item);
  void keep(Batch& batch, std::size_t item, const groth16::Proof& proof);
  std::vector<PartitionEnded::Outcome> run_together(Batch& batch, std::size_t first, std::size_t count);
  std::vector<groth16::ProofOrError> prove_together(Batch& batch, const std::vector<std::size_t>& items,
                                                    const std::vector<r1cs::Witness>& witnesses);
  PartitionEnded::Outcome conclude(Batch& batch, std::size_t item, const r1cs::Witness& witness,
                                   const groth16::ProofOrError& made);
  PartitionEnded::Outcome fail_partition(Batch& batch, std::size_t item);
  bool distrust(const Batch& batch, u32 wrong_proofs);
  void enter(Batch& batch, std::size_t item, PartitionView::State state);

  // Devices and their keys (engine_devices.cpp)
  DeviceLanes& device(DeviceId id) const { return *devices_.at(id); }
  std::vector<DeviceLanes*> active_devices() const;
  std::vector<DeviceId> usable_devices() const;
  bool lose(DeviceLanes& device, const std::string& why);
  void load_key(DeviceLanes& device, const std::string& circuit_id, std::stop_token stop);
  void free_key(DeviceLanes& device, const std::string& circuit_id);
  void expect_key(const std::string& circuit_id, After& after);
  bool want(DeviceLanes& device, const std::string& circuit_id);
  bool await_key(DeviceLanes& device, const std::string& circuit_id, const std::stop_token& stop);
  std::optional<u64> evict(DeviceLanes& device, const std::string& circuit_id, const std::stop_token& stop);
  const Failure* key_failure(const DeviceLanes& device, const std::string& circuit_id) const;

  /// Runs `work(after)` under the mutex, then what it leaves to do.
  template <class Work>
  void change(Work&& work);

  const StatementDecoder& decoder_;
  const EngineOptions options_;
  const Clock::time_point started_ = Clock::now();
  LaneHistory lane_history_;

  mutable std::mutex mutex_;  // guards everything below, and the jobs
  std::condition_variable_any changed_;
  std::map<JobId, JobPointer> jobs_;
  std::map<Identity, JobPointer> identities_;
  std::map<Ticket, JobPointer> tickets_;  // of the jobs that the scheduler has
  std::vector<JobPointer> running_;
  std::map<BatchId, std::shared_ptr<Batch>> batches_;
  std::map<std::pair<DeviceId, std::string>, Failure> key_failures_;  // of the last attempt, where that failed
  std::map<std::string, std::size_t> witness_bytes_;                  // of circuits of which a witness was made
  std::set<std::pair<DeviceId, std::string>> keys_loading_;
  WaitingCounts waiting_;
  Scheduler scheduler_;
  EngineLimits limits_;
  Retention retention_;
  std::array<KindCounts, kKinds.size()> counts_{};
  std::array<u64, kKinds.size()> queued_bytes_{};  // of the inputs of jobs that wait
  Ticket next_ticket_ = 1;
  u64 next_subscription_ = 1;
  std::size_t unsettled_ = 0;                 // jobs that have not ended, or whose waiters are being told
  bool time_changed_ = false;                 // the time at which the timer has something to do
  std::optional<Clock::time_point> idle_at_;  // when there will have been no job for idle_after
  std::deque<JobId> traced_;                  // finished jobs whose traces are kept, the oldest first
  EndedJobs ended_;
  Mode mode_ = Mode::accepting;
  bool stopped_ = false;

  // Last: their threads use all of the above.
  std::vector<std::unique_ptr<DeviceLanes>> devices_;  // by their number; does not change
  std::unique_ptr<Intake> intake_;
  std::jthread timer_;
};

}  // namespace cuzk::engine
