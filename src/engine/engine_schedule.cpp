#include <algorithm>
#include <utility>

#include "base/log.h"
#include "engine/engine.h"
#include "engine/engine_batch.h"
#include "engine/journal/journal.h"

namespace cuzk::engine {

namespace {

/// Keys above it are read by a thread of their own.
constexpr std::size_t kSmallKey = std::size_t{2} << 30;

JobResult result_of(JobState state, Code code, std::string message) {
  JobResult result;
  result.state = state;
  result.code = code;
  result.message = std::move(message);
  return result;
}

}  // namespace

/// In a thread of the intake.
void Engine::take_in(const JobPointer& job) {
  std::optional<Failure> failure;
  std::unique_ptr<JobWork> work;
  JobSpec spec;
  try {
    std::optional<ProofInput> input;
    {
      const std::lock_guard lock(mutex_);
      input = std::exchange(job->input, std::nullopt);
    }
    if (!job->stop.stop_requested()) {
      if (!input) input = options_.journal->input(job->id);
      work = std::make_unique<JobWork>(decoder_, *std::move(input), job->trace, job->progress, job->stop.get_token());
      spec = spec_of(*job, *work);
      job->progress.enter("waiting for its turn");
    }
  } catch (...) {
    failure = current_failure();
  }
  change([&](After& after) {
    if (job->place == JobEntry::Place::nowhere) return;  // cancelled meanwhile
    if (job->failure) failure = job->failure;            // it could not be written down
    if (failure) return end(job, result_of(*failure), after);
    if (job->stop.stop_requested()) {
      return end(job, result_of(JobState::cancelled, Code::cancelled, "the job was cancelled before it ran"), after);
    }
    job->work = std::move(work);
    spec.ticket = job->ticket = next_ticket_++;
    spec.priority = job->priority;  // may have been raised meanwhile
    spec.deadline = job->deadline;
    job->place = JobEntry::Place::scheduler;
    job->proofs.resize(job->work->partitions());
    tickets_[job->ticket] = job;
    tell_scheduler(JobSubmitted{spec}, after);
  });
}

/// Throws Error{not_found} where there is no key.
JobSpec Engine::spec_of(const JobEntry& job, const JobWork& work) const {
  const auto& circuit = work.circuit();
  JobSpec spec;
  spec.kind = job.kind;
  spec.circuit = work.circuit_id();
  spec.partitions = static_cast<u32>(work.partitions());
  spec.input_bytes = job.input_bytes;
  spec.memory.device_partition = prover_.proof_memory(circuit);
  spec.memory.key = keys_.memory_needed(spec.circuit);
  const std::lock_guard lock(mutex_);
  const auto known = witness_bytes_.find(spec.circuit);
  // Until one was seen: no bits, all hashes kept as their inputs and written out (an eighth is more than any arity needs).
  const std::size_t written_out = (std::size_t{circuit.aux()} + circuit.inputs()) * sizeof(Fr);
  spec.memory.host_partition = known != witness_bytes_.end() ? known->second : written_out / 8 * 9;
  return spec;
}

void Engine::tell_scheduler(const Event& event, After& after) {
  for (const Decision& decision : scheduler_.handle(Clock::now(), event)) {
    std::visit([&](const auto& what) { carry_out(what, after); }, decision);
  }
  time_changed_ = true;
}

void Engine::carry_out(const StartBatch& decision, After& after) {
  auto batch = std::make_shared<Batch>();
  batch->id = decision.batch;
  batch->circuit_id = decision.circuit;
  batch->lane_number = decision.lane;
  batch->lane = decision.lane + 1 == lanes_.size() ? Batch::Lane::urgent : Batch::Lane::ordinary;
  for (const auto& [ticket, partition] : decision.partitions) {
    const JobPointer& job = tickets_.at(ticket);
    start(*job, after);
    batch->items.push_back({job, partition, {}});
  }
  batches_[batch->id] = batch;
  after.push_back([this, batch, lane = decision.lane] {
    lanes_[lane]->add([this, batch](const std::stop_token&) { run_batch(batch); });
  });
}

/// Its first partition begins.
void Engine::start(JobEntry& job, After& after) {
  if (job.state != JobState::queued) return;
  job.state = JobState::running;
  job.started = Clock::now();
  queued_bytes(job.kind) -= job.input_bytes;
  --queued_by_priority_[static_cast<std::size_t>(job.priority)];
  --counts(job.kind).pending;
  ++counts(job.kind).running;
  running_.push_back(find(job.id));
  if (job.durability != JobEntry::Durability::none) {
    after.push_back([this, id = job.id] { options_.journal->started(id); });
  }
}

void Engine::carry_out(const PreemptBatch& decision, After&) {
  const auto found = batches_.find(decision.batch);
  if (found == batches_.end()) return;
  found->second->is_preempted = true;
  if (decision.boundary == PreemptBatch::Boundary::partition) return;
  for (auto& item : found->second->items) item.stop.request_stop();
}

void Engine::carry_out(const LoadKey& decision, After& after) {
  for (const auto& [ticket, job] : tickets_) {
    if (job->state == JobState::queued && job->work->circuit_id() == decision.circuit) {
      job->progress.enter("reading the key of " + decision.circuit);
    }
  }
  after.push_back([this, circuit_id = decision.circuit] {
    key_thread(circuit_id).add([this, circuit_id](std::stop_token stop) { load_key(circuit_id, std::move(stop)); });
  });
}

void Engine::carry_out(const EvictKey& decision, After& after) {
  after.push_back([this, circuit_id = decision.circuit] {
    key_thread(circuit_id).add([this, circuit_id](const std::stop_token&) { free_key(circuit_id); });
  });
}

void Engine::carry_out(const StopJob& decision, After&) {
  const auto& job = tickets_.at(decision.ticket);
  job->stop.request_stop();
  for (const auto& [id, batch] : batches_) {
    for (auto& item : batch->items) {
      if (item.job == job) item.stop.request_stop();
    }
  }
}

void Engine::carry_out(const EndJob& decision, After& after) {
  const JobPointer job = tickets_.at(decision.ticket);
  const bool has_started = job->state == JobState::running;
  switch (decision.how) {
    case JobEnd::completed: {
      JobResult result;
      result.state = JobState::completed;
      std::vector<groth16::Proof> proofs;
      for (const auto& proof : job->proofs) proofs.push_back(*proof);
      result.proof = groth16::proofs_to_bytes(proofs);
      return end(job, std::move(result), after);
    }
    case JobEnd::failed: {
      const auto of_key = key_failures_.find(job->work->circuit_id());
      Failure why = job->failure.value_or(Failure{Code::internal, decision.message});
      if (!job->failure && of_key != key_failures_.end()) why = of_key->second;
      return end(job, result_of(JobState::failed, why.code, why.message), after);
    }
    case JobEnd::cancelled: {
      if (job->failure) return end(job, result_of(JobState::failed, job->failure->code, job->failure->message), after);
      const char* when = has_started ? "the job was cancelled while it ran" : "the job was cancelled before it ran";
      const char* why = stopped_ ? "the engine was stopped" : when;
      return end(job, result_of(JobState::cancelled, Code::cancelled, why), after);
    }
    case JobEnd::expired:
      return end(job,
                 result_of(JobState::timed_out, Code::deadline,
                           has_started ? "its deadline passed while it ran" : "its deadline passed before it ran"),
                 after);
  }
}

void Engine::carry_out(const RefuseJob& decision, After& after) {
  const JobPointer job = tickets_.at(decision.ticket);
  const auto code = decision.reason == RefuseJob::Reason::no_device ? Code::unavailable : Code::resource_exhausted;
  end(job, result_of(JobState::failed, code, decision.message), after);
}

void Engine::carry_out(const KeyRefused& decision, After&) {
  key_failures_[decision.circuit] = {Code::unavailable, decision.message};
}

/// In the thread of its lane.
void Engine::run_batch(const std::shared_ptr<Batch>& batch) {
  for (std::size_t i = 0; i < batch->items.size(); ++i) {
    const auto outcome = run_partition(*batch, i);
    const auto& item = batch->items[i];
    change([&](After& after) {
      if (i + 1 == batch->items.size()) batches_.erase(batch->id);
      tell_scheduler(PartitionEnded{batch->id, item.job->ticket, item.partition, outcome}, after);
    });
  }
}

PartitionEnded::Outcome Engine::run_partition(Batch& batch, std::size_t index) {
  const Batch::Item& item = batch.items[index];
  JobEntry& job = *item.job;
  const auto is_stopped = [&] { return item.stop.stop_requested() || job.stop.stop_requested(); };
  if (batch.is_preempted || is_stopped()) return PartitionEnded::Outcome::given_back;
  using State = PartitionView::State;
  try {
    enter(batch, index, State::witness);
    const auto key = keys_.load(batch.circuit_id).key;
    const auto witness = job.work->witness(item.partition, item.stop.get_token());
    {
      const std::lock_guard lock(mutex_);
      witness_bytes_[batch.circuit_id] = prover_.witness_memory(witness);
    }
    enter(batch, index, State::witness_done);
    std::optional<Turn::Held> turn;
    if (batch.lane == Batch::Lane::ordinary) turn.emplace(turn_.take(item.stop.get_token()));
    enter(batch, index, State::proving);
    const auto proof = job.work->prove(item.partition, prover_, *key, witness, job.blinding, item.stop.get_token());
    enter(batch, index, State::done);
    const std::lock_guard lock(mutex_);
    job.proofs[item.partition] = proof;
    return PartitionEnded::Outcome::proved;
  } catch (...) {
    enter(batch, index, State::pending);
    if (is_stopped()) return PartitionEnded::Outcome::given_back;
    const auto failure = current_failure();
    const std::lock_guard lock(mutex_);
    if (!job.failure) job.failure = failure;
    return PartitionEnded::Outcome::failed;
  }
}

/// The batch's item is in another state.
void Engine::enter(Batch& batch, std::size_t item, PartitionView::State state) {
  batch.items[item].job->progress.set(batch.items[item].partition, state);
  const std::lock_guard lock(mutex_);
  if (state == PartitionView::State::witness) batch.since = Clock::now();
  batch.current = item;
  batch.state = state;
}

TaskThread& Engine::key_thread(const std::string& circuit_id) {
  try {
    return keys_.memory_needed(circuit_id) > kSmallKey ? large_keys_ : small_keys_;
  } catch (const Error&) {
    return small_keys_;  // there the error comes again and is told
  }
}

void Engine::load_key(const std::string& circuit_id, std::stop_token stop) {
  const auto begin = Clock::now();
  groth16::Control control;
  control.stop = std::move(stop);
  std::optional<Failure> failure;
  try {
    keys_.load(circuit_id, control);
  } catch (...) {
    failure = current_failure();
  }
  change([&](After& after) {
    for (const auto& [ticket, job] : tickets_) {
      if (job->state == JobState::queued && job->work->circuit_id() == circuit_id) {
        job->trace.add("key", std::nullopt, begin, Clock::now());
      }
    }
    if (failure) {
      key_failures_[circuit_id] = *failure;
      tell_scheduler(KeyLoadFailed{kDevice, circuit_id, failure->message}, after);
    } else {
      key_failures_.erase(circuit_id);
      tell_scheduler(KeyLoaded{kDevice, circuit_id}, after);
    }
  });
}

void Engine::free_key(const std::string& circuit_id) {
  try {
    if (const auto bytes = keys_.evict(circuit_id))
      logger(LogModule::engine).info("key of {} freed: {} bytes", circuit_id, *bytes);
  } catch (const Error& error) {
    logger(LogModule::engine).error("{}", error.what());  // its memory is counted as free all the same
  }
  change([&](After& after) { tell_scheduler(KeyEvicted{kDevice, circuit_id}, after); });
}

keys::KeyStore::Loaded::Source Engine::preload(const std::string& circuit_id, std::stop_token stop) {
  if (keys_.has(circuit_id)) return keys::KeyStore::Loaded::Source::store;
  const auto bytes = keys_.memory_needed(circuit_id);
  change([&](After& after) {
    key_failures_.erase(circuit_id);
    tell_scheduler(KeyWanted{kDevice, circuit_id, bytes, KeyWanted::Use::ordinary}, after);
  });
  std::unique_lock lock(mutex_);
  const auto is_over = [&] { return stopped_ || keys_.has(circuit_id) || key_failures_.contains(circuit_id); };
  changed_.wait(lock, stop, is_over);
  if (keys_.has(circuit_id)) return keys::KeyStore::Loaded::Source::file;
  if (const auto failure = key_failures_.find(circuit_id); failure != key_failures_.end()) {
    throw Error(failure->second.code, failure->second.message);
  }
  throw Error(Code::cancelled, fmt::format("loading the key of {}: cancelled", circuit_id));
}

std::optional<u64> Engine::evict(const std::string& circuit_id, std::stop_token stop) {
  const auto bytes = keys_.loaded_bytes(circuit_id);  // throws for an id that does not exist
  if (!bytes) return std::nullopt;
  change([&](After& after) {
    key_failures_.erase(circuit_id);
    tell_scheduler(KeyUnwanted{kDevice, circuit_id}, after);
  });
  std::unique_lock lock(mutex_);
  const auto is_over = [&] { return stopped_ || !keys_.has(circuit_id) || key_failures_.contains(circuit_id); };
  if (!changed_.wait(lock, stop, is_over)) {
    throw Error(Code::cancelled, fmt::format("freeing the key of {}: cancelled", circuit_id));
  }
  if (const auto failure = key_failures_.find(circuit_id); failure != key_failures_.end()) {
    throw Error(failure->second.code, fmt::format("key of {}: {}", circuit_id, failure->second.message));
  }
  return bytes;
}

/// Wakes the scheduler when it wants to be, and tells when the engine is idle.
void Engine::watch_time(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  while (!stop.stop_requested()) {
    auto next = scheduler_.next_wakeup().value_or(Clock::now() + std::chrono::hours(1));
    if (idle_at_) next = std::min(next, *idle_at_);
    time_changed_ = false;
    if (changed_.wait_until(lock, stop, next, [&] { return time_changed_; }) || stop.stop_requested()) continue;
    const bool is_idle = idle_at_ && Clock::now() >= *idle_at_;
    if (is_idle) idle_at_.reset();
    lock.unlock();
    if (is_idle && options_.on_idle) options_.on_idle();
    change([&](After& after) { tell_scheduler(Tick{}, after); });
    lock.lock();
  }
}

}  // namespace cuzk::engine
