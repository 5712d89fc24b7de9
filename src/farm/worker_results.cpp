// What jobs came to here, told to the database; what did not come to an end, given back.
#include "farm/farm_log.h"
#include "farm/worker.h"

namespace cuzk::farm {

namespace {

/// Whether another machine would come to the same.
bool is_final_for_all(const engine::JobResult& result) {
  if (result.state == JobState::failed) return result.code == Code::invalid_input;
  return result.state == JobState::completed || result.state == JobState::timed_out;
}

}  // namespace

/// In a thread of the engine.
void FarmWorker::on_ended(const Lease& lease, const EngineResult& result) {
  {
    const std::lock_guard lock(mutex_);
    const auto found = held_.find(lease.job);
    if (found == held_.end() || found->second.claimed.lease != lease) return;
    found->second.result = result;
  }
  changed_.notify_all();
}

void FarmWorker::settle_results() {
  std::vector<std::pair<Lease, EngineResult>> ended;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [id, held] : held_)
      if (held.result != nullptr) ended.emplace_back(held.claimed.lease, held.result);
  }
  for (const auto& [lease, result] : ended) {
    tell(lease, *result);
    forget(lease);
    next_claim_ = {};
  }
}

/// A result that the database refuses keeps no other: its job goes back with that reason.
void FarmWorker::tell(const Lease& lease, const engine::JobResult& result) {
  try {
    settle(lease, result);
  } catch (const Error& error) {
    if (error.code() == Code::unavailable) throw;
    log().error("farm: the result of job {} is refused: {}", lease.job, error.what());
    give_back(lease, fmt::format("its result ({}) is refused: {}", name(result.state), error.what()));
  }
}

/// Whether the lease stood. Where the database refuses it, the next heartbeat finds a lease that nobody works on.
bool FarmWorker::give_back(const Lease& lease, const std::optional<std::string>& reason) {
  try {
    return queue_.give_back(lease, reason);
  } catch (const Error& error) {
    if (error.code() == Code::unavailable) throw;
    log().error("farm: job {} cannot be given back: {}", lease.job, error.what());
    return false;
  }
}

void FarmWorker::settle(const Lease& lease, const engine::JobResult& result) {
  if (is_final_for_all(result)) {
    if (queue_.end(lease, result)) return;
    const bool may_go_on = result.state == JobState::timed_out && give_back(lease, std::nullopt);
    if (may_go_on) return log().info("farm: job {} goes on: somebody waits for it longer", lease.job);
    log().warn("farm: the result of job {} came too late", lease.job);
    return;
  }
  const bool is_own_doing = result.state == JobState::cancelled;
  give_back(lease, is_own_doing ? std::nullopt : std::optional(result.message));
  if (!is_own_doing) log().warn("farm: job {} goes back: {}", lease.job, result.message);
}

void FarmWorker::forget(const Lease& lease) {
  Held old;  // ends without the mutex
  const std::lock_guard lock(mutex_);
  const auto found = held_.find(lease.job);
  if (found == held_.end() || found->second.claimed.lease != lease) return;
  old = std::move(found->second);
  held_.erase(found);
}

void FarmWorker::give_all_back() {
  std::vector<Lease> leases;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [id, held] : held_) leases.push_back(held.claimed.lease);
  }
  for (const Lease& lease : leases) {
    give_back(lease, std::nullopt);
    lose(lease.job);
    forget(lease);
  }
  queue_.leave();
  const std::lock_guard lock(mutex_);
  has_left_ = true;
}

}  // namespace cuzk::farm
