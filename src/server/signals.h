/// SIGTERM, SIGINT and SIGHUP as events that a thread waits for.
#pragma once

#include <signal.h>

#include <stop_token>

namespace cuzk::server {

/// Blocks these signals in this thread and in those that it starts, until its end. Make it before any other thread.
/// SIGPIPE is ignored from then on: a client that has gone is an error of its call, not of the process.
class Signals {
 public:
  Signals();
  ~Signals();
  Signals(const Signals&) = delete;
  Signals& operator=(const Signals&) = delete;

  /// Waits for the next one and returns its number; 0 when `stop` is asked to.
  int wait(std::stop_token stop = {}) const;

 private:
  sigset_t set_;
  sigset_t before_;
};

}  // namespace cuzk::server
