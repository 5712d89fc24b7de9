/// Which finished jobs are remembered: bounded in number, bytes and age, oldest out first. Time comes in as an argument;
/// no thread, no lock.
#pragma once

#include <chrono>
#include <deque>
#include <vector>

#include "engine/job.h"

namespace cuzk::engine {

struct RetentionLimits {
  std::size_t jobs = 10'000;
  u64 bytes = u64{256} << 20;
  std::chrono::seconds age = std::chrono::hours(24);
};

/// What a remembered job costs beside its proof and its message, about.
inline constexpr u64 kJobBytes = 3500;

class Retention {
 public:
  explicit Retention(RetentionLimits limits) : limits_(limits) {}

  /// A job has ended and holds this many bytes.
  void add(JobId id, u64 bytes, Clock::time_point now);

  void set_limits(RetentionLimits limits) { limits_ = limits; }

  /// The jobs that have to be forgotten now.
  std::vector<JobId> expired(Clock::time_point now);

 private:
  struct Entry {
    JobId id;
    u64 bytes;
    Clock::time_point ended;
  };

  bool is_over(const Entry& oldest, Clock::time_point now) const;

  RetentionLimits limits_;
  std::deque<Entry> entries_;  // oldest first
  u64 bytes_ = 0;
};

}  // namespace cuzk::engine
