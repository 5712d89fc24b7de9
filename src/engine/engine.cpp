#include "engine/engine.h"

#include <algorithm>
#include <numeric>

#include "base/error.h"
#include "base/hex.h"
#include "base/log.h"
#include "base/random.h"
#include "engine/engine_batch.h"
#include "engine/journal/journal.h"
#include "engine/queue_full.h"
#include "engine/statement_part.h"

namespace cuzk::engine {

namespace {

JobResult cancelled(const std::string& message) {
  JobResult result;
  result.state = JobState::cancelled;
  result.code = Code::cancelled;
  result.message = message;
  return result;
}

bool fits(u64 bytes, u64 taken, u64 limit) { return taken <= limit && bytes <= limit - taken; }

void log_end(const JobId& id, const JobResult& result) {
  const auto level = result.state == JobState::completed ? spdlog::level::info : spdlog::level::warn;
  const auto& t = result.timings;
  logger(LogModule::engine)
      .log(level, "job {}: {} after {} ms (queue {}, key {}, synthesis {}, device {}) {}", id, name(result.state),
           t.total.count(), t.queued.count(), t.key_load.count(), t.synthesis.count(), t.device.count(),
           result.message);
}

/// The engine looks at the sizes of inputs before anything is decoded, so that the scheduler need not.
SchedulerPolicy for_scheduler(const EngineOptions& options) {
  SchedulerPolicy policy = options.policy;
  policy.stall_after = options.stuck_after;
  policy.input_budget = ~u64{0} / 2;
  for (auto& kind : policy.kinds) kind.max_queued = ~u32{0} / 2;
  return policy;
}

}  // namespace

Engine::Subscription& Engine::Subscription::operator=(Subscription&& other) noexcept {
  std::swap(engine_, other.engine_);
  std::swap(id_, other.id_);
  std::swap(number_, other.number_);
  return *this;
}

Engine::Subscription::~Subscription() {
  if (engine_ != nullptr) engine_->unsubscribe(id_, number_);
}

Engine::Engine(const StatementDecoder& decoder, const std::vector<EngineDevice>& devices, EngineOptions options)
    : decoder_(decoder),
      options_(std::move(options)),
      scheduler_(for_scheduler(options_)),
      limits_(options_),
      retention_(limits_.retention) {
  for (const Kind kind : kKinds) counts(kind).kind = kind;
  for (const auto& device : devices) {
    const auto id = static_cast<DeviceId>(devices_.size());
    devices_.push_back(std::make_unique<DeviceLanes>(id, device, options_.stuck_after));
  }
  if (active_devices().empty()) throw internal_error("engine: it was given no device to prove on");
  intake_ = std::make_unique<Intake>(options_.intake_threads, [this](const JobPointer& job) { take_in(job); });
  timer_ = std::jthread([this](const std::stop_token& stop) { watch_time(stop); });
  change([&](After& after) {
    for (const auto* each : active_devices()) tell_scheduler(DeviceAdded{each->spec()}, after);
  });
  if (options_.journal != nullptr) recover();
}

Engine::~Engine() {
  stop();
  if (options_.journal != nullptr) options_.journal->flush();  // its last calls come back here
}

Engine::Accepted Engine::submit(ProofRequest request, Recorded recorded, std::optional<PartitionRange> only) {
  decoder_.check_offered(request.input.kind);
  const InputDigest input = only ? digest(request.input, *only) : digest(request.input);
  const bool may_join = !request.blinding;  // a proof with a given r and s is nobody else's
  JobPointer job;
  Accepted accepted{{}, 0, Accepted::How::joined};
  change([&](After& after) {
    forget_expired(after);
    if (may_join) job = join({request.request_id, input}, request, after);
    if (job == nullptr) {
      job = enqueue(std::move(request), input, only);
      accepted.how = Accepted::How::enqueued;
    }
    accepted.id = job->id;
    accepted.queue_position = jobs_before(*job);
    if (!recorded) return;
    if (job->durability == JobEntry::Durability::writing) {
      job->recorded.push_back(std::move(recorded));
    } else {
      after.push_back([recorded = std::move(recorded)] { recorded(nullptr); });
    }
  });
  if (accepted.how == Accepted::How::enqueued) {
    record(job);
    change([&](After&) {
      if (job->place == JobEntry::Place::accepting) push_to_intake(job);
    });
  }
  return accepted;
}

/// Under the mutex.
void Engine::push_to_intake(const JobPointer& job) {
  job->place = JobEntry::Place::intake;
  intake_->push(job->priority, job);
}

/// The job that is or will be the answer to this pair; null when there is none. It takes the higher priority of the two.
JobPointer Engine::join(const Identity& identity, const ProofRequest& request, After& after) {
  const auto found = identities_.find(identity);
  if (found == identities_.end()) return nullptr;
  JobPointer job = found->second;
  if (is_final(job->state) ? job->state != JobState::completed : job->stop.stop_requested()) return nullptr;
  raise(job, request.priority, request.deadline, after);
  return job;
}

JobPointer Engine::enqueue(ProofRequest request, const InputDigest& input, std::optional<PartitionRange> only) {
  check_room(request.input, request.priority);
  auto job = std::make_shared<JobEntry>();
  job->id = to_hex(random_bytes<16>());
  job->identity = {request.request_id, input};
  job->kind = request.input.kind;
  job->priority = request.priority;
  job->deadline = request.deadline;
  job->input_bytes = request.input.bytes();
  job->blinding = std::move(request.blinding);
  job->only = only;
  job->input = std::move(request.input);
  if (options_.journal != nullptr && !job->blinding && !job->only) job->durability = JobEntry::Durability::writing;
  add(job);
  return job;
}

/// A job that waits is known from now on.
void Engine::add(const JobPointer& job) {
  jobs_[job->id] = job;
  identities_[job->identity] = job;
  queued_bytes(job->kind) += job->input_bytes;
  waiting_.add(job->kind, job->priority);
  ++counts(job->kind).pending;
  ++unsettled_;
  idle_at_.reset();
}

/// A kind whose jobs pile up leaves room for the others, and everything that is not urgent for what is.
void Engine::check_room(const ProofInput& input, Priority priority) const {
  if (mode_ == Mode::draining) throw Error(Code::unavailable, "the engine is draining and takes no new jobs");
  const auto kind = static_cast<std::size_t>(input.kind);
  const std::size_t waiting = counts_[kind].pending;
  const auto most = std::min<std::size_t>(limits_.max_queued, options_.policy.kinds[kind].max_queued);
  const auto later = std::chrono::duration_cast<std::chrono::milliseconds>(scheduler_.retry_after(input.kind));
  const auto seconds = std::chrono::ceil<std::chrono::seconds>(later).count();
  if (waiting >= most) {
    throw QueueFull(fmt::format("the queue of {} is full: {} jobs wait, {} may; try again in {} s", name(input.kind),
                                waiting, most, seconds),
                    later);
  }
  const u64 all = limits_.max_queued_bytes, bytes = input.bytes();
  const u64 of_kind = queued_bytes_[kind];
  const u64 together = std::accumulate(queued_bytes_.begin(), queued_bytes_.end(), u64{0});
  const u64 for_kind = all - all / 4, for_all = priority == Priority::critical ? all : all - all / 16;
  if (fits(bytes, of_kind, for_kind) && fits(bytes, together, for_all)) return;
  throw QueueFull(
      fmt::format("the queue is full: inputs of {} bytes wait, {} of them of {}; {} more are over the limit "
                  "of {}; try again in {} s",
                  together, of_kind, name(input.kind), bytes, all, seconds),
      later);
}

JobPointer Engine::find(const JobId& id) const {
  const auto found = jobs_.find(id);
  if (found != jobs_.end()) return found->second;
  throw Error(Code::not_found,
              fmt::format("job '{}' is not known; finished jobs are remembered for {} hours and at most {} of them", id,
                          std::chrono::duration_cast<std::chrono::hours>(limits_.retention.age).count(),
                          limits_.retention.jobs));
}

std::size_t Engine::jobs_before(const JobEntry& job) const {
  if (job.state != JobState::queued) return 0;
  if (const auto position = scheduler_.queue_position(job.ticket); position && job.ticket != 0) return *position;
  return waiting_.at_least(job.priority) - 1;  // itself
}

Engine::Subscription Engine::when_finished(const JobId& id, Callback callback,
                                           std::optional<Clock::time_point> wanted) {
  Result result;
  std::optional<u64> number;  // where it waits
  change([&](After& after) {
    const auto job = find(id);
    result = job->result;
    if (result != nullptr) return;
    number = next_subscription_++;
    job->waiters[*number] = std::move(callback);
    if (wanted) note_wanted(*job, *wanted, after);
  });
  if (number) return Subscription(this, id, *number);
  callback(result);
  return {};
}

/// Under the mutex.
void Engine::note_wanted(JobEntry& job, Clock::time_point wanted, After& after) {
  job.wanted = std::min(wanted, job.wanted.value_or(wanted));
  if (job.place == JobEntry::Place::scheduler) tell_scheduler(JobAwaited{job.ticket, wanted}, after);
}

void Engine::unsubscribe(const JobId& id, u64 number) {
  Callback removed;  // ends after the mutex is free: it may hold the last reference to anything
  const std::lock_guard lock(mutex_);
  const auto found = jobs_.find(id);
  if (found == jobs_.end()) return;
  auto& waiters = found->second->waiters;
  if (const auto waiter = waiters.find(number); waiter != waiters.end()) {
    removed = std::move(waiter->second);
    waiters.erase(waiter);
  }
}

Engine::Result Engine::wait(const JobId& id, std::optional<Clock::time_point> until, const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  const auto job = find(id);
  const auto ended = [&] { return job->result != nullptr; };
  if (until) {
    changed_.wait_until(lock, stop, *until, ended);
  } else {
    changed_.wait(lock, stop, ended);
  }
  if (!ended() && stop.stop_requested()) throw Error(Code::cancelled, "waiting for a job: cancelled by its caller");
  return job->result;
}

JobState Engine::cancel(const JobId& id) {
  JobState before{};
  change([&](After& after) {
    const auto job = find(id);
    before = job->state;
    if (!is_final(before)) cancel(*job, after);
  });
  return before;
}

/// Where the job is under way, whoever works on it sees the stop.
void Engine::cancel(JobEntry& job, After& after) {
  job.stop.request_stop();
  if (job.place == JobEntry::Place::scheduler) {
    tell_scheduler(JobCancelled{job.ticket}, after);
  } else if (job.place == JobEntry::Place::intake) {
    intake_->remove(job);  // where a thread has it already, that one finds that it has ended
    const char* why = stopped_ ? "the engine was stopped" : "the job was cancelled before it ran";
    end(find(job.id), job.failure ? result_of(*job.failure) : cancelled(why), after);
  }
}

void Engine::set_limits(const EngineLimits& limits) {
  change([&](After& after) {
    limits_ = limits;
    retention_.set_limits(limits.retention);
    forget_expired(after);
    forget_old_traces();
  });
}

std::size_t Engine::set_mode(Mode mode) {
  const std::lock_guard lock(mutex_);
  if (!stopped_) mode_ = mode;
  std::size_t unfinished = 0;
  for (const auto& count : counts_) unfinished += count.pending + count.running;
  return unfinished;
}

void Engine::drain(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  mode_ = Mode::draining;
  changed_.wait(lock, stop, [&] { return unsettled_ == 0; });
}

void Engine::stop() {
  change([&](After& after) {
    mode_ = Mode::draining;
    stopped_ = true;
    std::vector<JobPointer> jobs;
    for (const auto& [id, job] : jobs_) {
      if (!is_final(job->state)) jobs.push_back(job);
    }
    for (const auto& job : jobs) cancel(*job, after);
  });
  drain();
}

/// The job has ended as `result` says; it is told once that is on the disk. Under the mutex.
void Engine::end(const JobPointer& job, JobResult result, After& after) {
  job->place = JobEntry::Place::nowhere;
  tickets_.erase(job->ticket);
  result.timings = timings_of(job->trace);
  const bool is_recorded = job->durability != JobEntry::Durability::none;
  const bool runs_again = stopped_ && result.state == JobState::cancelled;
  if (!is_recorded || runs_again) return settle(*job, std::move(result), after);
  job->progress.enter("writing down the result");
  after.push_back([this, job, result = std::move(result)]() mutable { record_end(job, std::move(result)); });
}

/// Under the mutex.
void Engine::settle(JobEntry& job, JobResult result, After& after) {
  auto& count = counts(job.kind);
  const auto now = Clock::now();
  const bool has_started = job.state == JobState::running;
  if (has_started) {
    --count.running;
    std::erase_if(running_, [&](const JobPointer& each) { return each.get() == &job; });
  } else {
    --count.pending;
    queued_bytes(job.kind) -= job.input_bytes;
    waiting_.remove(job.kind, job.priority);
  }
  result.timings.queued = between(job.accepted, has_started ? job.started : now);
  result.timings.total = between(job.accepted, now);
  switch (result.state) {
    case JobState::completed:
      ++count.completed;
      count.seconds += std::chrono::duration<double>(now - job.accepted).count();
      break;
    case JobState::cancelled: ++count.cancelled; break;
    default: ++count.failed;
  }
  job.state = result.state;
  job.ended = now;
  job.result = std::make_shared<const JobResult>(std::move(result));
  ended_.add(show_way(job));
  job.input.reset();
  job.work.reset();
  job.proofs.clear();
  log_end(job.id, *job.result);
  after.push_back([this, kind = job.kind, ended = job.result, waiters = std::exchange(job.waiters, {})] {
    if (options_.on_end) options_.on_end(kind, *ended);
    for (const auto& [number, callback] : waiters) callback(ended);
    {
      const std::lock_guard lock(mutex_);
      if (--unsettled_ == 0) {  // only now, so that who drains has all waiters told
        idle_at_ = Clock::now() + options_.idle_after;
        time_changed_ = true;
      }
    }
    changed_.notify_all();
  });
  traced_.push_back(job.id);
  forget_old_traces();
  retention_.add(job.id, kJobBytes + job.result->proof.size() + job.result->message.size(), now);
  forget_expired(after);
}

/// Under the mutex.
void Engine::forget_old_traces() {
  for (; traced_.size() > limits_.keep_traces; traced_.pop_front()) {
    if (const auto found = jobs_.find(traced_.front()); found != jobs_.end()) found->second->trace.clear();
  }
}

void Engine::forget_expired(After& after) {
  for (const JobId& id : retention_.expired(Clock::now())) {
    const auto found = jobs_.find(id);
    if (found == jobs_.end()) continue;
    const auto same = identities_.find(found->second->identity);
    if (same != identities_.end() && same->second == found->second) identities_.erase(same);
    if (options_.journal != nullptr && found->second->durability != JobEntry::Durability::none) {
      after.push_back([this, id] { options_.journal->forgotten(id); });
    }
    jobs_.erase(found);
  }
}

}  // namespace cuzk::engine
