/// A connection to PostgreSQL as the queue uses it. Included by the queue's sources alone: nobody else needs libpqxx.
#pragma once

#include <chrono>
#include <mutex>
#include <pqxx/pqxx>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/failpoint.h"
#include "base/types.h"

namespace cuzk::farm {

/// The connection is gone, or the database takes nothing now: all may be tried again.
class DatabaseUnavailable : public Error {
 public:
  explicit DatabaseUnavailable(const std::string& why) : Error(Code::unavailable, "the farm's database: " + why) {}
};

/// What libpq connects with: the text with timeouts where it says none, so that a machine that vanished is noticed.
/// Throws Error{invalid_input} where it is none; what it holds is not in the message.
std::string connection_text(const std::string& postgres);

/// A socket that another thread may break.
class Interruptible {
 public:
  void set(int socket) {
    const std::lock_guard lock(mutex_);
    socket_ = socket;
  }
  void interrupt() noexcept;

  /// How often it was.
  u64 interruptions() const {
    const std::lock_guard lock(mutex_);
    return interruptions_;
  }

 private:
  mutable std::mutex mutex_;
  int socket_ = -1;  // -1: none
  u64 interruptions_ = 0;
};

/// The exception that is being handled, as DatabaseUnavailable or Error{internal}; Error passes as it is, but one of a
/// failpoint that says unavailable: it plays a connection that is lost there.
[[noreturn]] void rethrow_as_error(const pqxx::connection& connection);

/// Every call of libpq has a failpoint before it is sent, `place`, and one after it was done and before its answer came,
/// `place` with ".answer"; a transaction also one before it is committed, ".commit".
class Database {
 public:
  /// Throws DatabaseUnavailable.
  Database(const std::string& postgres, Interruptible& interruptible);
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  /// One statement in a transaction of its own, prepared at its first use. `text` must be a literal.
  template <class... Args>
  pqxx::result run([[maybe_unused]] const char* place, const char* text, Args&&... args) {
    return guarded([&] {
      CUZK_FAILPOINT(place);
      pqxx::nontransaction transaction(connection_);
      auto result = transaction.exec_prepared(prepared(text), std::forward<Args>(args)...);
      CUZK_FAILPOINT(std::string(place) + ".answer");
      return result;
    });
  }

  /// work(transaction), committed at its end.
  template <class Work>
  auto transact([[maybe_unused]] const char* place, Work&& work) {
    return guarded([&] {
      CUZK_FAILPOINT(place);
      pqxx::work transaction(connection_);
      const auto commit = [&] {
        CUZK_FAILPOINT(std::string(place) + ".commit");
        transaction.commit();
        CUZK_FAILPOINT(std::string(place) + ".answer");
      };
      if constexpr (std::is_void_v<decltype(work(transaction))>) {
        work(transaction);
        commit();
      } else {
        auto result = work(transaction);
        commit();
        return result;
      }
    });
  }

  pqxx::connection& raw() { return connection_; }

  template <class Work>
  auto guarded(Work&& work) {
    try {
      return work();
    } catch (...) {
      rethrow_as_error(connection_);
    }
  }

 private:
  /// The connection's socket may be broken while it is open, and no longer: its number is another file's then.
  class Breakable {
   public:
    Breakable(Interruptible& interruptible, int socket) : interruptible_(interruptible) { interruptible_.set(socket); }
    ~Breakable() { interruptible_.set(-1); }
    Breakable(const Breakable&) = delete;
    Breakable& operator=(const Breakable&) = delete;

   private:
    Interruptible& interruptible_;
  };

  std::string prepared(const char* text);

  pqxx::connection connection_;
  Breakable breakable_;                                          // ends before it
  std::vector<std::pair<const char*, std::string>> statements_;  // texts that are prepared, with their names
};

// Values there and back

inline pqxx::binarystring blob(std::span<const u8> bytes) { return {bytes.data(), bytes.size()}; }
inline pqxx::binarystring blob(const std::string& bytes) { return {bytes.data(), bytes.size()}; }

/// {"a","b"}: an array of PostgreSQL, of words without quotation marks or backslashes.
std::string array_text(const std::vector<std::string>& words);
std::vector<std::string> words_of(const pqxx::field& array);

inline i64 ms(std::chrono::milliseconds time) { return time.count(); }
inline std::chrono::milliseconds time_of(const pqxx::field& ms) { return std::chrono::milliseconds(ms.as<i64>(0)); }

}  // namespace cuzk::farm
