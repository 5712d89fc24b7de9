/// Who waits for which job's end, and is told of it once.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "farm/job_desk.h"

namespace cuzk::farm {

/// Threads: any may call any function.
class AwaitedJobs {
 public:
  using Result = JobDesk::Result;

  /// Its end takes the callback out.
  JobDesk::Ticket add(const engine::JobId& id, Told<Result> told) {
    auto waiter = std::make_shared<Waiter>(Waiter{std::move(told)});
    const std::lock_guard lock(state_->mutex);
    const auto place = state_->waiters.emplace(id, waiter);
    return {waiter.get(), [state = state_, place, waiter](void*) {
              const std::lock_guard lock(state->mutex);
              if (!std::exchange(waiter->is_told, true)) state->waiters.erase(place);
            }};
  }

  bool has(const engine::JobId& id) const {
    const std::lock_guard lock(state_->mutex);
    return state_->waiters.contains(id);
  }

  std::vector<engine::JobId> ids() const {
    const std::lock_guard lock(state_->mutex);
    std::vector<engine::JobId> ids;
    for (const auto& [id, waiter] : state_->waiters)
      if (ids.empty() || ids.back() != id) ids.push_back(id);
    return ids;
  }

  void tell(const engine::JobId& id, const Outcome<Result>& outcome) {
    for (const auto& waiter : take(id)) waiter->told(outcome);
  }

  void tell_all(const Outcome<Result>& outcome) {
    for (const auto& id : ids()) tell(id, outcome);
  }

 private:
  struct Waiter {
    Told<Result> told;
    bool is_told = false;
  };
  using Waiters = std::multimap<engine::JobId, std::shared_ptr<Waiter>>;

  struct State {  // tickets may outlive the farm
    std::mutex mutex;
    Waiters waiters;
  };

  std::vector<std::shared_ptr<Waiter>> take(const engine::JobId& id) {
    const std::lock_guard lock(state_->mutex);
    std::vector<std::shared_ptr<Waiter>> taken;
    const auto [begin, end] = state_->waiters.equal_range(id);
    for (auto each = begin; each != end; ++each) {
      each->second->is_told = true;
      taken.push_back(each->second);
    }
    state_->waiters.erase(begin, end);
    return taken;
  }

  std::shared_ptr<State> state_ = std::make_shared<State>();
};

}  // namespace cuzk::farm
