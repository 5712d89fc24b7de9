/// Some threads, each with a queue of its own, that do what callers ask of the database: no caller waits for it.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "farm/queue.h"

namespace cuzk::farm {

/// Threads: any may call any function.
class DeskThreads {
 public:
  /// Must not throw.
  using Task = std::function<void(FarmQueue&)>;

  /// All queues have the session that is given.
  DeskThreads(const FarmOptions& options, const std::string& session, unsigned threads);
  ~DeskThreads() { stop(); }

  /// Throws Error: resource_exhausted (too many wait), unavailable (after stop()).
  void add(Task task);

  /// Breaks off what waits for the database, does the other tasks, and ends the threads.
  void stop();

 private:
  static constexpr std::size_t kMostWaiting = 10'000;

  void run(FarmQueue& queue);

  std::mutex mutex_;
  std::condition_variable added_;
  std::deque<Task> tasks_;
  bool stopped_ = false;
  std::deque<FarmQueue> queues_;      // one for each thread
  std::vector<std::thread> threads_;  // last: they use the others
};

}  // namespace cuzk::farm
