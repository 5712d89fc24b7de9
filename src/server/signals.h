/// SIGTERM, SIGINT, SIGHUP and the end of the parent as events that a thread waits for.
#pragma once

#include <signal.h>

#include <memory>
#include <stop_token>

#include "server/parent_process.h"

namespace cuzk::server {

/// Blocks these signals in this thread and in those that it starts, until its end. Make it before any other thread.
/// SIGPIPE and SIGXFSZ are ignored from then on: a client that has gone is an error of its call, a file that may not grow
/// an error of its write, not of the process.
class Signals {
 public:
  /// parent: whose end is an event too; null: none.
  explicit Signals(std::unique_ptr<ParentProcess> parent = nullptr);
  ~Signals();
  Signals(const Signals&) = delete;
  Signals& operator=(const Signals&) = delete;

  /// What wait() returns once the parent has ended: it is no number of a signal.
  static constexpr int kParentEnded = -1;

  /// Waits for the next one and returns its number; 0 when `stop` is asked to.
  int wait(const std::stop_token& stop = {}) const;

 private:
  const std::unique_ptr<ParentProcess> parent_;
  sigset_t set_;
  sigset_t before_;
  int descriptor_;  // of signalfd(2)
};

}  // namespace cuzk::server
