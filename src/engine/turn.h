/// Whose turn it is on a device: one at a time, in no particular order. One that keeps it too long loses it, so that what
/// is stuck does not stop the others.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <utility>

#include "base/error.h"
#include "base/types.h"

namespace cuzk::engine {

class Turn {
 public:
  using Clock = std::chrono::steady_clock;

  /// patience: how long others wait for one that does not end.
  explicit Turn(Clock::duration patience) : patience_(patience) {}

  /// Ends the turn at its own end.
  class Held {
   public:
    Held(Turn& turn, u64 number) : turn_(&turn), number_(number) {}
    Held(Held&& other) noexcept : turn_(std::exchange(other.turn_, nullptr)), number_(other.number_) {}
    ~Held() {
      if (turn_ != nullptr) turn_->pass_on(number_);
    }

    Held& operator=(Held&&) = delete;

   private:
    Turn* turn_;
    u64 number_;
  };

  /// Waits for it. Throws Error{cancelled} when `stop` is asked to stop.
  Held take(const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    while (holder_ != kNobody && Clock::now() < lost_) {
      const Clock::time_point until = lost_;  // a copy: the wait reads it without the lock
      free_.wait_until(lock, stop, until, [&] { return holder_ == kNobody; });
      if (stop.stop_requested()) throw Error(Code::cancelled, "stopped before its turn");
    }
    holder_ = ++last_;
    lost_ = Clock::now() + patience_;
    return Held(*this, holder_);
  }

 private:
  static constexpr u64 kNobody = 0;

  void pass_on(u64 number) {
    {
      const std::lock_guard lock(mutex_);
      if (holder_ == number) holder_ = kNobody;  // else it has been lost
    }
    free_.notify_one();
  }

  const Clock::duration patience_;
  std::mutex mutex_;
  std::condition_variable_any free_;
  u64 holder_ = kNobody, last_ = 0;
  Clock::time_point lost_{};  // when the holder loses it
};

}  // namespace cuzk::engine
