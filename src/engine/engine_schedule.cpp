#include <algorithm>
#include <iterator>
#include <utility>

#include "base/log.h"
#include "engine/engine.h"
#include "engine/engine_batch.h"
#include "engine/journal/journal.h"

namespace cuzk::engine {

namespace {

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
  std::shared_ptr<const JobWork> work;
  JobSpec spec;
  const Lane lane = lane_history_.begin_in_free(Lane::Role::intake, 0, LaneSpan::Stage::decode, job->id, Clock::now());
  try {
    std::optional<ProofInput> input;
    {
      const std::lock_guard lock(mutex_);
      input = std::exchange(job->input, std::nullopt);
    }
    if (!job->stop.stop_requested()) {
      if (!input) input = options_.journal->input(job->id);
      work = std::make_shared<const JobWork>(decoder_, *std::move(input), job->only, job->trace, job->progress,
                                             job->stop.get_token());
      spec = spec_of(*job, *work);
      job->progress.enter("waiting for its turn");
    }
  } catch (...) {
    failure = current_failure();
  }
  lane_history_.end(lane, failure ? LaneSpan::End::dropped : LaneSpan::End::done, Clock::now());
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
    spec.wanted = job->wanted;
    job->place = JobEntry::Place::scheduler;
    job->proofs.resize(job->work->partitions());
    tickets_[job->ticket] = job;
    tell_scheduler(JobSubmitted{spec}, after);
    if (job->place == JobEntry::Place::scheduler) expect_key(spec.circuit, after);
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
  std::vector<DeviceNeed> needs;
  for (const DeviceId id : usable_devices())
    needs.push_back({id, device(id).prover().proof_memory(circuit), device(id).keys().memory_needed(spec.circuit),
                     device(id).prover().proofs_together(circuit)});
  spec.memory.device_partition = needs.at(0).partition;
  spec.memory.key = needs.at(0).key;
  std::copy_if(needs.begin(), needs.end(), std::back_inserter(spec.memory.elsewhere), [&](const DeviceNeed& need) {
    return need.partition != spec.memory.device_partition || need.key != spec.memory.key || need.together > 1;
  });
  const std::lock_guard lock(mutex_);
  const auto known = witness_bytes_.find(spec.circuit);
  // Until one was seen: no bits, all hashes kept as their inputs and written out (an eighth is more than any arity needs).
  const std::size_t written_out = (std::size_t{circuit.aux()} + circuit.inputs()) * sizeof(Fr);
  spec.memory.host_partition = known != witness_bytes_.end() ? known->second : written_out / 8 * 9;
  return spec;
}

/// Under the mutex.
void Engine::raise(const JobPointer& job, Priority priority, std::optional<Clock::time_point> deadline, After& after) {
  if (!is_final(job->state) && priority > job->priority) {
    if (job->state == JobState::queued) {
      waiting_.remove(job->kind, job->priority);
      waiting_.add(job->kind, priority);
    }
    job->priority = priority;
    if (options_.journal != nullptr && job->durability != JobEntry::Durability::none) {
      options_.journal->raised(job->id, job->priority);
    }
    if (intake_->remove(*job)) intake_->push(job->priority, job);
  }
  if (job->deadline) job->deadline = deadline ? std::max(*job->deadline, *deadline) : deadline;
  if (job->place == JobEntry::Place::scheduler) tell_scheduler(JobJoined{job->ticket, priority, deadline}, after);
}

void Engine::raise(const JobId& id, Priority priority) {
  change([&](After& after) {
    const auto job = find(id);
    raise(job, priority, job->deadline, after);
  });
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
  batch->device = &device(decision.device);
  batch->lane = decision.lane;
  for (const auto& [ticket, partition] : decision.partitions) {
    const JobPointer& job = tickets_.at(ticket);
    start(*job, after);
    batch->items.push_back({job, job->work, partition, {}});
  }
  batches_[batch->id] = batch;
  after.push_back([this, batch] { batch->device->run(batch->lane, [this, batch] { run_batch(batch); }); });
}

/// Its first partition begins.
void Engine::start(JobEntry& job, After& after) {
  if (job.state != JobState::queued) return;
  job.state = JobState::running;
  job.started = Clock::now();
  queued_bytes(job.kind) -= job.input_bytes;
  waiting_.remove(job.kind, job.priority);
  --counts(job.kind).pending;
  ++counts(job.kind).running;
  running_.push_back(find(job.id));
  if (job.durability != JobEntry::Durability::none) {
    after.push_back([this, id = job.id] { options_.journal->started(id); });
  }
}

void Engine::carry_out(const PreemptBatch& decision, After& after) {
  using Boundary = PreemptBatch::Boundary;
  const auto found = batches_.find(decision.batch);
  if (found == batches_.end()) return;
  Batch& batch = *found->second;
  batch.is_preempted = true;
  const bool proves = batch.state == PartitionView::State::proving || batch.state == PartitionView::State::done;
  if (decision.boundary == Boundary::turn && proves) {
    after.push_back([this, id = batch.id] { change([&](After& later) { tell_scheduler(BatchAdvanced{id}, later); }); });
  } else if (decision.boundary != Boundary::partition) {
    for (auto& item : batch.items) item.stop.request_stop();
  }
}

void Engine::carry_out(const LoadKey& decision, After& after) {
  for (const auto& [ticket, job] : tickets_) {
    if (job->state == JobState::queued && job->work->circuit_id() == decision.circuit) {
      job->progress.enter("reading the key of " + decision.circuit);
    }
  }
  keys_loading_.insert({decision.device, decision.circuit});
  after.push_back([this, to = &device(decision.device), circuit_id = decision.circuit] {
    to->run_with_key(circuit_id,
                     [this, to, circuit_id](std::stop_token stop) { load_key(*to, circuit_id, std::move(stop)); });
  });
}

void Engine::carry_out(const EvictKey& decision, After& after) {
  after.push_back([this, from = &device(decision.device), circuit_id = decision.circuit] {
    from->run_with_key(circuit_id, [this, from, circuit_id](const std::stop_token&) { free_key(*from, circuit_id); });
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
      const auto of_key = std::find_if(key_failures_.begin(), key_failures_.end(), [&](const auto& entry) {
        return entry.first.second == job->work->circuit_id() && entry.second.message == decision.message;
      });
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
  key_failures_[{decision.device, decision.circuit}] = {Code::unavailable, decision.message};
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
