/// Taking a changed configuration over while the daemon serves.
#pragma once

#include <functional>

#include "server/config.h"
#include "server/listeners.h"

namespace cuzk::server {

/// Used by one thread.
class Reload {
 public:
  /// `config` is in force now. The engine and the listeners must outlive it.
  Reload(Config config, engine::Engine& engine, Listeners& listeners, std::function<Config()> read_again)
      : config_(std::move(config)), engine_(engine), listeners_(listeners), read_again_(std::move(read_again)) {}

  /// Reads everything again: limits of jobs, the log's settings, tokens and certificates change, what else differs is named as needing a
  /// restart. Faults are logged, never thrown; what is wrong stays as it was.
  void run();

 private:
  void take(const Config& next);

  Config config_;
  engine::Engine& engine_;
  Listeners& listeners_;
  std::function<Config()> read_again_;
};

}  // namespace cuzk::server
