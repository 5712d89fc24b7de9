/// Whose turn it is on a device: one at a time, in no particular order.
#pragma once

#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <utility>

#include "base/error.h"

namespace cuzk::engine {

class Turn {
 public:
  /// Ends the turn at its own end.
  class Held {
   public:
    explicit Held(Turn& turn) : turn_(&turn) {}
    Held(Held&& other) noexcept : turn_(std::exchange(other.turn_, nullptr)) {}
    ~Held() {
      if (turn_ != nullptr) turn_->pass_on();
    }

    Held& operator=(Held&&) = delete;

   private:
    Turn* turn_;
  };

  /// Waits for it. Throws Error{cancelled} when `stop` is asked to stop.
  Held take(const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    if (!free_.wait(lock, stop, [&] { return !is_taken_; })) throw Error(Code::cancelled, "stopped before its turn");
    is_taken_ = true;
    return Held(*this);
  }

 private:
  void pass_on() {
    {
      const std::lock_guard lock(mutex_);
      is_taken_ = false;
    }
    free_.notify_one();
  }

  std::mutex mutex_;
  std::condition_variable_any free_;
  bool is_taken_ = false;
};

}  // namespace cuzk::engine
