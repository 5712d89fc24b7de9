/// Group commit: changes that come from many threads at once share transactions, and so the waits for the disk.
///
/// One thread takes what has gathered while the transaction before it was written, applies it in the order in which it
/// came and commits it as one. A change that fails undoes the whole transaction; then each change gets one of its own, so
/// that only the faulty one fails.
#pragma once

#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <span>
#include <stop_token>
#include <thread>
#include <vector>

#include "engine/journal/database.h"

namespace cuzk::engine {

/// Called once, in the journal's thread: with nothing when the change is on the disk, else with why it is not there.
using Done = std::function<void(std::exception_ptr)>;

struct Change {
  std::function<void()> apply;     ///< inside a transaction; again in a later one when that was undone
  Done done;                       ///< must not throw, must not wait for the journal
  std::function<void()> clean_up;  ///< may be empty; after `done` of the whole group, whatever came of it
};

class CommitQueue {
 public:
  struct Counts {
    u64 changes = 0;       ///< that were committed
    u64 transactions = 0;  ///< that they took
  };

  /// `database` is used under `mutex` alone; both must outlive the queue. A transaction takes `max_group` changes at most.
  CommitQueue(Database& database, std::mutex& mutex, std::size_t max_group);
  /// Commits what was pushed.
  ~CommitQueue();

  void push(Change change);

  /// Returns when everything that was pushed before is done.
  void flush();

  Counts counts() const;

 private:
  using Outcomes = std::vector<std::exception_ptr>;

  void work(const std::stop_token& stop);
  std::vector<Change> next(const std::stop_token& stop);
  Outcomes commit(std::span<Change> group);
  std::exception_ptr try_commit(std::span<Change> group);

  Database& database_;
  std::mutex& database_mutex_;
  SqlStatement begin_, commit_;
  const std::size_t max_group_;

  mutable std::mutex mutex_;  // guards the rest
  std::condition_variable_any pushed_;
  std::deque<Change> waiting_;
  Counts counts_;

  std::jthread writer_;  // last: it uses all of the above
};

}  // namespace cuzk::engine
