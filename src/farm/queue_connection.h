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
    }
  };

  std::unique_ptr<Receiver> receiver;  // once somebody listens
};

/// Where a connection that was used before turns out to be lost, the operation is tried once more with a new one.
template <class Work>
auto FarmQueue::with_connection(Work&& work) {
  const bool was_there = connection_ != nullptr;
  try {
    return work(connection());
  } catch (const DatabaseUnavailable&) {
    connection_.reset();
    if (!was_there) throw;
  }
  try {
    return work(connection());
  } catch (const DatabaseUnavailable&) {
    connection_.reset();
    throw;
  }
}

}  // namespace cuzk::farm
