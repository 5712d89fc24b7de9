#include "engine/engine.h"

#include <spdlog/spdlog.h>

#include <algorithm>

#include "base/error.h"
#include "base/hex.h"
#include "base/random.h"

namespace cuzk::engine {

struct Engine::Job {
  JobId id;
  Identity identity;
  Kind kind;
  Priority priority;
  u64 input_bytes;
  ProofRequest request;  ///< empty once it runs
  Clock::time_point accepted = Clock::now();
  Clock::time_point started{};

  JobState state = JobState::queued;
  JobProgress progress;
  std::stop_source stop;
  Result result;
  std::map<u64, Callback> waiters;
};

namespace {

std::chrono::milliseconds between(Clock::time_point begin, Clock::time_point end) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(end - begin);
}

JobResult cancelled(const std::string& message) {
  JobResult result;
  result.state = JobState::cancelled;
  result.code = Code::cancelled;
  result.message = message;
  return result;
}

void log_end(const JobId& id, const JobResult& result) {
  const auto level = result.state == JobState::completed ? spdlog::level::info : spdlog::level::warn;
  const auto& t = result.timings;
  spdlog::log(level, "job {}: {} after {} ms (queue {}, key {}, synthesis {}, device {}) {}", id, name(result.state),
              t.total.count(), t.queued.count(), t.key_load.count(), t.synthesis.count(), t.device.count(),
              result.message);
}

/// What a remembered job costs beside its proof, about.
constexpr u64 kJobBytes = 1024;

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

Engine::Engine(const StatementDecoder& decoder, keys::KeyStore& keys, groth16::Prover& prover, EngineOptions options)
    : decoder_(decoder), options_(options), runner_(decoder, keys, prover), retention_(options.retention) {
  for (const Kind kind : kKinds) counts(kind).kind = kind;
  worker_ = std::jthread([this](const std::stop_token& stop) { work(stop); });
}

Engine::~Engine() {
  stop();
  worker_.request_stop();
  worker_.join();
}

Engine::Accepted Engine::submit(ProofRequest request) {
  decoder_.check_offered(request.input.kind);
  const InputDigest input = digest(request.input);
  const bool may_join = !request.blinding;  // a proof with a given r and s is nobody else's
  const std::lock_guard lock(mutex_);
  forget_expired();
  JobPointer job = may_join ? join({request.request_id, input}, request.priority) : nullptr;
  const auto how = job == nullptr ? Accepted::How::enqueued : Accepted::How::joined;
  if (job == nullptr) job = enqueue(std::move(request), input);
  return {job->id, queue_.position(*job).value_or(0), how};
}

/// The job that is or will be the answer to this pair; null when there is none. It takes the higher priority of the two.
Engine::JobPointer Engine::join(const Identity& identity, Priority priority) {
  const auto found = identities_.find(identity);
  if (found == identities_.end()) return nullptr;
  const JobPointer job = found->second;
  if (job->state == JobState::failed || job->state == JobState::cancelled || job->stop.stop_requested()) return nullptr;
  if (job->state == JobState::queued && priority > job->priority) {
    queue_.remove(*job);
    job->priority = priority;
    queue_.push(priority, job);
  }
  return job;
}

Engine::JobPointer Engine::enqueue(ProofRequest request, const InputDigest& input) {
  const u64 bytes = request.input.bytes();
  check_room(bytes);
  auto job = std::make_shared<Job>();
  job->id = to_hex(random_bytes<16>());
  job->identity = {request.request_id, input};
  job->kind = request.input.kind;
  job->priority = request.priority;
  job->input_bytes = bytes;
  job->request = std::move(request);
  jobs_[job->id] = job;
  identities_[job->identity] = job;
  queue_.push(job->priority, job);
  queued_bytes_ += bytes;
  ++counts(job->kind).pending;
  changed_.notify_all();
  return job;
}

void Engine::check_room(u64 bytes) const {
  if (draining_) throw Error(Code::unavailable, "the engine is draining and takes no new jobs");
  if (queue_.size() >= options_.max_queued) {
    throw Error(Code::resource_exhausted, fmt::format("the queue is full: {} jobs wait", queue_.size()));
  }
  if (bytes > options_.max_queued_bytes - queued_bytes_) {
    throw Error(Code::resource_exhausted,
                fmt::format("the queue is full: inputs of {} bytes wait, {} more are over the limit of {}",
                            queued_bytes_, bytes, options_.max_queued_bytes));
  }
}

Engine::JobPointer Engine::find(const JobId& id) const {
  const auto found = jobs_.find(id);
  if (found != jobs_.end()) return found->second;
  throw Error(Code::not_found,
              fmt::format("job '{}' is not known; finished jobs are remembered for {} hours and at most {} of them", id,
                          std::chrono::duration_cast<std::chrono::hours>(options_.retention.age).count(),
                          options_.retention.jobs));
}

Engine::Subscription Engine::when_finished(const JobId& id, Callback callback) {
  Result result;
  {
    const std::lock_guard lock(mutex_);
    const auto job = find(id);
    if (job->result == nullptr) {
      const u64 number = next_subscription_++;
      job->waiters[number] = std::move(callback);
      return Subscription(this, id, number);
    }
    result = job->result;
  }
  callback(result);
  return {};
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

Engine::Result Engine::wait(const JobId& id, std::optional<Clock::time_point> until, std::stop_token stop) {
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
  Ended ended;
  JobState before;
  {
    const std::lock_guard lock(mutex_);
    const auto job = find(id);
    before = job->state;
    if (before == JobState::running) job->stop.request_stop();
    if (before == JobState::queued) {
      queue_.remove(*job);
      ended = finish(*job, cancelled("the job was cancelled before it ran"));
    }
  }
  tell(ended);
  return before;
}

JobView Engine::view(const JobId& id) const {
  const std::lock_guard lock(mutex_);
  return show(*find(id));
}

JobView Engine::show(const Job& job) {
  JobView view{job.id, job.identity.first, job.kind, job.priority, job.state, {}, 0, 0, 0, 0};
  job.progress.show(view);
  return view;
}

EngineSnapshot Engine::snapshot() const {
  const std::lock_guard lock(mutex_);
  EngineSnapshot result;
  result.kinds = counts_;
  result.uptime = std::chrono::duration_cast<std::chrono::seconds>(Clock::now() - started_);
  if (draining_) result.mode = EngineSnapshot::Mode::draining;
  if (running_ != nullptr && running_->state == JobState::running) result.running = show(*running_);
  return result;
}

void Engine::drain(std::stop_token stop) {
  std::unique_lock lock(mutex_);
  draining_ = true;
  changed_.wait(lock, stop, [&] { return queue_.empty() && running_ == nullptr; });
}

void Engine::stop() {
  cancel_everything();
  drain();
}

void Engine::work(const std::stop_token& stop) {
  while (const auto job = next(stop)) run(*job);
}

/// The next job, now running; null when the engine ends.
Engine::JobPointer Engine::next(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, stop, [&] { return !queue_.empty(); });
  if (stop.stop_requested()) return nullptr;
  running_ = queue_.pop();
  running_->state = JobState::running;
  running_->started = Clock::now();
  queued_bytes_ -= running_->input_bytes;
  --counts(running_->kind).pending;
  ++counts(running_->kind).running;
  return running_;
}

void Engine::run(Job& job) {
  JobResult result = runner_.run(std::move(job.request), job.stop.get_token(), job.progress);
  result.timings.queued = between(job.accepted, job.started);
  Ended ended;
  {
    const std::lock_guard lock(mutex_);
    ended = finish(job, std::move(result));
  }
  log_end(job.id, *ended.second);
  tell(ended);
  {
    const std::lock_guard lock(mutex_);
    running_ = nullptr;  // only now, so that who drains has all waiters told
  }
  changed_.notify_all();
}

/// Under the mutex. The caller tells the waiters once the mutex is free.
Engine::Ended Engine::finish(Job& job, JobResult result) {
  auto& count = counts(job.kind);
  const auto now = Clock::now();
  if (job.state == JobState::queued) {
    queued_bytes_ -= job.input_bytes;
    --count.pending;
    result.timings.queued = between(job.accepted, now);
  } else {
    --count.running;
  }
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
  job.request = {};
  job.result = std::make_shared<const JobResult>(std::move(result));
  Ended ended{{}, job.result};
  if (options_.on_end) {
    ended.first.push_back([this, kind = job.kind](const Result& ended_so) { options_.on_end(kind, *ended_so); });
  }
  for (auto& [number, callback] : job.waiters) ended.first.push_back(std::move(callback));
  job.waiters.clear();
  retention_.add(job.id, kJobBytes + job.result->proof.size() + job.result->message.size(), now);
  forget_expired();
  changed_.notify_all();
  return ended;
}

void Engine::tell(const Ended& ended) {
  for (const auto& callback : ended.first) callback(ended.second);
}

void Engine::forget_expired() {
  for (const JobId& id : retention_.expired(Clock::now())) {
    const auto found = jobs_.find(id);
    if (found == jobs_.end()) continue;
    const auto same = identities_.find(found->second->identity);
    if (same != identities_.end() && same->second == found->second) identities_.erase(same);
    jobs_.erase(found);
  }
}

/// Nothing that was accepted is left without a result.
void Engine::cancel_everything() {
  std::vector<Ended> ended;
  {
    const std::lock_guard lock(mutex_);
    draining_ = true;
    if (running_ != nullptr) running_->stop.request_stop();
    while (const auto job = queue_.pop()) ended.push_back(finish(*job, cancelled("the engine was stopped")));
  }
  for (const auto& each : ended) tell(each);
}

}  // namespace cuzk::engine
