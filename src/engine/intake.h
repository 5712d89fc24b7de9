/// Where requests are read, checked and compiled before they are scheduled: a few threads, of which one serves urgent
/// jobs alone, so that a WinningPoSt does not wait until a gigabyte of other requests is read.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "engine/job_entry.h"
#include "engine/job_queue.h"

namespace cuzk::engine {

class Intake {
 public:
  /// Called in one of the threads; must not throw.
  using Work = std::function<void(const JobPointer&)>;

  /// `threads` for all jobs, and one more for those of priority HIGH and above.
  Intake(unsigned threads, Work work);

  void push(Priority priority, JobPointer job);

  /// Takes a job out; false when it is not here (any more).
  bool remove(const JobEntry& job);

 private:
  void serve(const std::stop_token& stop, Priority lowest);

  const Work work_;
  std::mutex mutex_;
  std::condition_variable_any pushed_;
  JobQueue<JobEntry> queue_;
  std::vector<std::jthread> threads_;  // last: they use all of the above
};

}  // namespace cuzk::engine
