/// The job engine: takes proof requests, runs them in the order of their priority, keeps what came of them.
///
/// A job is identified by its request id and the digest of its whole input. Asking again for a pair that is queued,
/// running or completed joins that job; after a failure or a cancellation it is a new job, as is the same request id
/// with another input. One job runs at a time; its partitions are pipelined (job_runner.h).
///
/// Threads: any may call any function; one thread of the engine works. A job's failure is its result, never an
/// exception. The end of the engine cancels what is queued or running and tells those who wait.
#pragma once

#include <array>
#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "engine/job.h"
#include "engine/job_queue.h"
#include "engine/job_runner.h"
#include "engine/request.h"
#include "engine/retention.h"
#include "engine/statement.h"
#include "groth16/prover.h"
#include "keys/key_store.h"

namespace cuzk::engine {

struct EngineOptions {
  std::size_t max_queued = 10'000;      ///< jobs that wait
  u64 max_queued_bytes = u64{4} << 30;  ///< of their inputs
  RetentionLimits retention;            ///< of finished jobs

  /// Told of every job's end before those who wait for it, in the thread that ends it; must neither block nor throw.
  std::function<void(Kind, const JobResult&)> on_end;
};

/// Counts of one kind of proof.
struct KindCounts {
  Kind kind = Kind::porep;
  u32 pending = 0, running = 0;
  u64 completed = 0, failed = 0, cancelled = 0;
  double seconds = 0;  ///< from acceptance to the end, over the completed ones
};

struct EngineSnapshot {
  std::array<KindCounts, kKinds.size()> kinds;
  std::optional<JobView> running;
  std::chrono::seconds uptime{};
  enum class Mode { accepting, draining } mode = Mode::accepting;
};

class Engine {
 public:
  using Result = std::shared_ptr<const JobResult>;
  using Callback = std::function<void(const Result&)>;

  struct Accepted {
    JobId id;
    std::size_t queue_position;  ///< jobs that go before it
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

  /// What it is given must outlive it.
  Engine(const StatementDecoder& decoder, keys::KeyStore& keys, groth16::Prover& prover, EngineOptions options = {});
  ~Engine();
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  /// Throws Error: unavailable (draining, or a kind that is not offered), resource_exhausted (the queue is full).
  Accepted submit(ProofRequest request);

  /// Calls `callback` once, when the job has ended: at once in this thread where it has, else later in a thread of the
  /// engine or of one who cancels. The callback must not block. Throws Error{not_found} for a job that is not known.
  [[nodiscard]] Subscription when_finished(const JobId& id, Callback callback);

  /// Waits for the end of a job; null when `until` comes first. Throws Error: not_found; cancelled when `stop` is asked
  /// to (the job goes on).
  Result wait(const JobId& id, std::optional<Clock::time_point> until = std::nullopt, std::stop_token stop = {});

  /// Ends a job that has not ended, for everyone who asked for it. A queued one ends now, a running one soon.
  /// Returns what state it was in; throws Error{not_found}.
  JobState cancel(const JobId& id);

  JobView view(const JobId& id) const;

  EngineSnapshot snapshot() const;

  /// Takes no more jobs and returns when all that were accepted have ended, or `stop` is asked to.
  void drain(std::stop_token stop = {});

  /// Takes no more jobs, cancels those that have not ended and returns when they have.
  void stop();

 private:
  struct Job;
  using JobPointer = std::shared_ptr<Job>;
  using Identity = std::pair<std::string, InputDigest>;
  using Ended = std::pair<std::vector<Callback>, Result>;  ///< whom to tell what, once the mutex is free

  JobPointer join(const Identity& identity, Priority priority);
  JobPointer enqueue(ProofRequest request, const InputDigest& digest);
  void check_room(u64 bytes) const;
  JobPointer find(const JobId& id) const;
  static JobView show(const Job& job);
  KindCounts& counts(Kind kind) { return counts_[static_cast<std::size_t>(kind)]; }

  void work(const std::stop_token& stop);
  JobPointer next(const std::stop_token& stop);
  void run(Job& job);
  Ended finish(Job& job, JobResult result);
  void forget_expired();
  void cancel_everything();
  void unsubscribe(const JobId& id, u64 number);
  static void tell(const Ended& ended);

  const StatementDecoder& decoder_;
  const EngineOptions options_;
  const JobRunner runner_;
  const Clock::time_point started_ = Clock::now();

  mutable std::mutex mutex_;  // guards everything below, and the jobs
  std::condition_variable_any changed_;
  std::map<JobId, JobPointer> jobs_;
  std::map<Identity, JobPointer> identities_;
  JobQueue<Job> queue_;
  Retention retention_;
  std::array<KindCounts, kKinds.size()> counts_{};
  JobPointer running_;
  u64 queued_bytes_ = 0;
  u64 next_subscription_ = 1;
  bool draining_ = false;

  std::jthread worker_;  // last: it uses all of the above
};

}  // namespace cuzk::engine
