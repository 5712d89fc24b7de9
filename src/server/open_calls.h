/// How many calls wait for a job's end, so that the daemon can leave when the last of them is answered.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>

namespace cuzk::server {

/// Threads: any may call any function.
class OpenCalls {
 public:
  /// A call is open as long as somebody holds this. It may outlive the count.
  using Ticket = std::shared_ptr<const void>;

  Ticket enter() {
    {
      const std::lock_guard lock(state_->mutex);
      ++state_->open;
    }
    return {this, [state = state_](const void*) {
              {
                const std::lock_guard lock(state->mutex);
                --state->open;
              }
              state->changed.notify_all();
            }};
  }

  /// Returns when no call is open, or the time is over.
  void wait(std::chrono::milliseconds patience) const {
    std::unique_lock lock(state_->mutex);
    state_->changed.wait_for(lock, patience, [&] { return state_->open == 0; });
  }

 private:
  struct State {
    std::mutex mutex;
    std::condition_variable changed;
    std::size_t open = 0;
  };

  std::shared_ptr<State> state_ = std::make_shared<State>();
};

}  // namespace cuzk::server
