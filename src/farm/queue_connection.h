/// The parts of the queue that its source files share.
#pragma once

#include <memory>
#include <string>

#include "farm/database.h"
#include "farm/queue.h"

namespace cuzk::farm {

class FarmQueue::Connection : public Database {
 public:
  using Database::Database;

  /// Calls what a Listener has for it.
  class Receiver : public pqxx::notification_receiver {
   public:
    Receiver(pqxx::connection& connection, const std::string& session)
        : notification_receiver(connection, "cuzk_" + session) {}
    Listener* listener = nullptr;

    void operator()(const std::string& payload, int) override {
      if (listener == nullptr || payload.empty()) return;
      if (payload[0] == 'w') listener->on_work();
      if (payload[0] == 'e') listener->on_end(payload.substr(1));
      if (payload[0] == 'c') listener->on_lost(payload.substr(1));
      if (payload[0] == 'p') listener->on_urgent(payload.substr(1));
    }
  };

  std::unique_ptr<Receiver> receiver;  // once somebody listens
};

/// Where a connection turns out to be lost, the operation is tried again with a new one: whoever cuts connections is not
/// noticed. A database that cannot be connected to is.
template <class Work>
auto FarmQueue::with_connection(Work&& work) {
  constexpr int kAttempts = 4;
  for (int attempt = 1;; ++attempt) {
    Connection& current = connection();
    try {
      return work(current);
    } catch (const DatabaseUnavailable&) {
      connection_.reset();
      if (attempt == kAttempts) throw;
    }
  }
}

}  // namespace cuzk::farm
