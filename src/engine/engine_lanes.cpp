// What the lanes of the devices do with their batches: witnesses, then proofs, one after the other or several together.

#include <algorithm>
#include <atomic>
#include <exception>
#include <memory>
#include <stop_token>
#include <utility>
#include <variant>
#include <vector>

#include "base/log.h"
#include "engine/engine.h"
#include "engine/engine_batch.h"

namespace cuzk::engine {

namespace {

/// Is asked to stop when all of several are.
class AllStopped {
 public:
  explicit AllStopped(std::size_t count) : left_(count) {}

  void add(const std::stop_token& stop) { callbacks_.push_back(std::make_unique<Callback>(stop, Count{this})); }
  std::stop_token token() const { return all_.get_token(); }

 private:
  struct Count {
    AllStopped* all;
    void operator()() const {
      if (--all->left_ == 0) all->all_.request_stop();
    }
  };
  using Callback = std::stop_callback<Count>;

  std::atomic<std::size_t> left_;
  std::stop_source all_;
  std::vector<std::unique_ptr<Callback>> callbacks_;  // last: they use the others
};

/// It runs again once there is room for it.
struct GivenBack {};

/// Memory is set aside for one proof of the lanes that take turns. A batch that gets its turn because another one lost it is
/// given back, unless it was started when the scheduler knew that already.
template <class Batches, class Batch>
void check_beside_stuck(const Batches& batches, const Batch& batch, Clock::duration stuck_after) {
  const auto takes_turns = [&](const Batch& each) {
    return each.device == batch.device && each.lane < batch.device->spec().lanes;
  };
  if (!takes_turns(batch)) return;
  for (const auto& [id, other] : batches) {
    const bool is_stuck = id != batch.id && takes_turns(*other) && other->state == PartitionView::State::proving;
    if (is_stuck && batch.started < other->since + stuck_after) throw GivenBack();
  }
}

/// Within a handler: how many proofs the prover made for nothing.
u32 wrong_proofs() {
  try {
    throw;
  } catch (const groth16::UnverifiedProof& failure) {
    return failure.attempts();
  } catch (...) {
    return 0;
  }
}

}  // namespace

/// In the thread of its lane.
void Engine::run_batch(const std::shared_ptr<Batch>& batch) {
  for (std::size_t first = 0; first < batch->items.size();) {
    const std::size_t count = std::min(together(*batch), batch->items.size() - first);
    const auto outcomes = count == 1 ? std::vector{run_partition(*batch, first)} : run_together(*batch, first, count);
    for (const auto outcome : outcomes) report(*batch, first++, outcome);
  }
}

/// How many of a batch are proved in one call.
std::size_t Engine::together(const Batch& batch) {
  return std::max<u32>(1, batch.device->prover().proofs_together(batch.items.front().work->circuit()));
}

void Engine::report(const Batch& batch, std::size_t index, PartitionEnded::Outcome outcome) {
  const auto& item = batch.items[index];
  change([&](After& after) {
    if (index + 1 == batch.items.size()) {
      batches_.erase(batch.id);
    } else if (const auto found = batches_.find(batch.id); found != batches_.end()) {
      found->second->current = index + 1;  // what is reported is not lost with the device any more
      found->second->state = PartitionView::State::pending;
    }
    tell_scheduler(PartitionEnded{batch.id, item.job->ticket, item.partition, outcome}, after);
  });
}

bool Engine::is_stopped(const JobEntry& job, const std::stop_source& stop) {
  return stop.stop_requested() || job.stop.stop_requested();
}

/// What work() on a partition comes to, where it is still wanted.
template <class Work>
PartitionEnded::Outcome Engine::attempt(Batch& batch, std::size_t index, Work&& work) {
  const Batch::Item& item = batch.items[index];
  if (batch.is_preempted || is_stopped(*item.job, item.stop)) return PartitionEnded::Outcome::given_back;
  return outcome_of(batch, index, std::forward<Work>(work));
}

/// The same, wanted or not.
template <class Work>
PartitionEnded::Outcome Engine::outcome_of(Batch& batch, std::size_t index, Work&& work) {
  const Batch::Item& item = batch.items[index];
  try {
    work();
    return PartitionEnded::Outcome::proved;
  } catch (const GivenBack&) {
    enter(batch, index, PartitionView::State::pending);
    return PartitionEnded::Outcome::given_back;
  } catch (...) {
    enter(batch, index, PartitionView::State::pending);
    return is_stopped(*item.job, item.stop) ? PartitionEnded::Outcome::given_back : fail_partition(batch, index);
  }
}

PartitionEnded::Outcome Engine::run_partition(Batch& batch, std::size_t index) {
  return attempt(batch, index, [&] { prove_partition(batch, index); });
}

r1cs::Witness Engine::make_witness(Batch& batch, std::size_t index) {
  const auto& [job, work, partition, stop] = batch.items[index];
  enter(batch, index, PartitionView::State::witness);
  auto witness = work->witness(partition, stop.get_token());
  {
    const std::lock_guard lock(mutex_);
    witness_bytes_[batch.circuit_id] = batch.device->prover().witness_memory(witness);
  }
  enter(batch, index, PartitionView::State::witness_done);
  return witness;
}

void Engine::prove_partition(Batch& batch, std::size_t index) {
  const auto& [job, work, partition, stop] = batch.items[index];
  auto& device = *batch.device;
  const auto key = device.keys().load(batch.circuit_id).key;
  const auto witness = make_witness(batch, index);
  const auto turn = device.take_turn(batch.lane, stop.get_token());
  enter(batch, index, PartitionView::State::proving);
  const auto made = work->prove(partition, device.prover(), *key, witness, job->blinding, stop.get_token());
  keep(batch, index, made.proof);
  if (made.attempts > 1) distrust(batch, made.attempts - 1);
}

void Engine::keep(Batch& batch, std::size_t index, const groth16::Proof& proof) {
  enter(batch, index, PartitionView::State::done);
  batch.device->wrong_proofs().right(batch.circuit_id);
  const std::lock_guard lock(mutex_);
  const auto& item = batch.items[index];
  if (!batch.is_lost) item.job->proofs[item.partition] = proof;
}

/// Several partitions of a batch, which share the reading of a key that is streamed. One that fails or is stopped drops
/// out.
std::vector<PartitionEnded::Outcome> Engine::run_together(Batch& batch, std::size_t first, std::size_t count) {
  std::vector<PartitionEnded::Outcome> outcomes(count, PartitionEnded::Outcome::given_back);
  std::vector<std::size_t> indices;  // of those that are proved
  std::vector<r1cs::Witness> witnesses;
  for (std::size_t i = 0; i < count; ++i) {
    outcomes[i] = attempt(batch, first + i, [&] { witnesses.push_back(make_witness(batch, first + i)); });
    if (outcomes[i] == PartitionEnded::Outcome::proved) indices.push_back(first + i);
  }
  const auto proofs = prove_together(batch, indices, witnesses);
  for (std::size_t i = 0; i < indices.size(); ++i)
    outcomes[indices[i] - first] = conclude(batch, indices[i], witnesses[i], proofs[i]);
  return outcomes;
}

std::vector<groth16::ProofOrError> Engine::prove_together(Batch& batch, const std::vector<std::size_t>& indices,
                                                          const std::vector<r1cs::Witness>& witnesses) {
  if (indices.empty()) return {};
  AllStopped all(indices.size());
  std::vector<JobWork::Proving> parts;
  for (std::size_t i = 0; i < indices.size(); ++i) {
    const auto& item = batch.items[indices[i]];
    all.add(item.stop.get_token());
    parts.push_back({*item.work, item.partition, witnesses[i], item.job->blinding, item.stop.get_token()});
  }
  try {
    const auto key = batch.device->keys().load(batch.circuit_id).key;
    const auto turn = batch.device->take_turn(batch.lane, all.token());
    for (const std::size_t index : indices) enter(batch, index, PartitionView::State::proving);
    auto proofs = JobWork::prove_together(batch.device->prover(), *key, parts);
    const std::lock_guard lock(mutex_);
    batch.state = PartitionView::State::done;  // before the turn ends
    return proofs;
  } catch (...) {
    return std::vector<groth16::ProofOrError>(indices.size(), std::current_exception());
  }
}

PartitionEnded::Outcome Engine::conclude(Batch& batch, std::size_t index, const r1cs::Witness& witness,
                                         const groth16::ProofOrError& made) {
  const auto& item = batch.items[index];
  return outcome_of(batch, index, [&] { keep(batch, index, item.work->proof_of(item.partition, witness, made)); });
}

/// Within the handler of what went wrong. A lost device is not the job's failure while others go on.
PartitionEnded::Outcome Engine::fail_partition(Batch& batch, std::size_t index) {
  const auto failure = current_failure();
  if (failure.code == Code::device_lost && lose(*batch.device, failure.message)) {
    return PartitionEnded::Outcome::given_back;
  }
  const u32 wrong = wrong_proofs();
  if (wrong != 0 && distrust(batch, wrong)) return PartitionEnded::Outcome::given_back;
  JobEntry& job = *batch.items[index].job;
  const std::lock_guard lock(mutex_);
  if (!batch.is_lost && !job.failure) job.failure = failure;
  return PartitionEnded::Outcome::failed;
}

/// The batch's device made proofs that do not verify. Whether it is the device's fault and the partition is worth another
/// attempt, there or elsewhere.
bool Engine::distrust(const Batch& batch, u32 wrong_proofs) {
  using Verdict = WrongProofs::Verdict;
  const auto verdict = batch.device->wrong_proofs().wrong(batch.circuit_id, wrong_proofs);
  logger(LogModule::engine)
      .error("{}: {} proofs of {} did not verify", batch.device->name(), wrong_proofs, batch.circuit_id);
  if (verdict != Verdict::faulty) return verdict == Verdict::suspect;
  return lose(*batch.device, fmt::format("{} of its proofs in {} hours did not verify", WrongProofs::kFaulty,
                                         WrongProofs::kWithin.count()));
}

/// The batch's item is in another state.
void Engine::enter(Batch& batch, std::size_t item, PartitionView::State state) {
  const std::lock_guard lock(mutex_);
  if (batch.is_lost) return;  // it may run elsewhere already
  if (state == PartitionView::State::proving) check_beside_stuck(batches_, batch, options_.stuck_after);
  batch.items[item].job->progress.set(batch.items[item].partition, state);
  if (state == PartitionView::State::witness) batch.since = Clock::now();
  batch.current = item;
  batch.state = state;
  note(batch, item, state);
}

}  // namespace cuzk::engine
