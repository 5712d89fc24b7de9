/// The parts of the queue that its source files share.
#pragma once

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <type_traits>

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

/// What may be tried again, and for how long.
class FarmQueue::Attempts {
 public:
  explicit Attempts(const Interruptible& interruptible, std::optional<Clock::time_point> wanted = std::nullopt)
      : interruptible_(interruptible), interruptions_(interruptible.interruptions()), wanted_(wanted) {}

  /// A connection was made or used and turned out to be lost: waits, and returns whether to try again.
  enum class Lost : u8 { while_connecting, while_used };
  bool again(Lost how) {
    if (how == Lost::while_used) unreachable_since_.reset();
    if (how == Lost::while_connecting && !unreachable_since_) unreachable_since_ = Clock::now();
    auto until = begin_ + kUsed;
    if (unreachable_since_) until = std::min(until, *unreachable_since_ + kConnecting);
    if (wanted_) until = std::min(until, *wanted_);
    if (Clock::now() + wait_ >= until || interruptible_.interruptions() != interruptions_) return false;
    std::this_thread::sleep_for(wait_);
    wait_ = std::min(2 * wait_, kLongest);
    ++made_;
    return true;
  }

  u32 made() const { return made_; }
  std::chrono::milliseconds took() const {
    return std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - begin_);
  }

 private:
  /// A database that takes connections and loses them is there; one that takes none is not, and who asks is told soon.
  static constexpr std::chrono::milliseconds kUsed{5000}, kConnecting{1000}, kLongest{200};

  const Interruptible& interruptible_;
  const u64 interruptions_;
  const std::optional<Clock::time_point> wanted_;
  const Clock::time_point begin_ = Clock::now();
  std::optional<Clock::time_point> unreachable_since_;
  std::chrono::milliseconds wait_{5};
  u32 made_ = 1;
};

/// Where a connection turns out to be lost, the operation is tried again with a new one: whoever cuts connections is not
/// noticed. work(connection), or work(connection, number of the attempt, from 1).
template <class Work>
auto FarmQueue::with_connection(Work&& work, std::optional<Clock::time_point> wanted) {
  Attempts attempts(*interruptible_, wanted);
  for (;;) {
    bool is_connected = false;
    try {
      Connection& current = connection();
      is_connected = true;
      if constexpr (std::is_invocable_v<Work, Connection&, u32>) {
        return work(current, attempts.made());
      } else {
        return work(current);
      }
    } catch (const DatabaseUnavailable& error) {
      connection_.reset();
      using Lost = Attempts::Lost;
      if (attempts.again(is_connected ? Lost::while_used : Lost::while_connecting)) continue;
      if (attempts.made() == 1) throw;
      throw Error(Code::unavailable,
                  fmt::format("{} ({} attempts in {} ms)", error.what(), attempts.made(), attempts.took().count()));
    }
  }
}

}  // namespace cuzk::farm
