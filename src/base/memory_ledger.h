/// Who holds how much memory, against a budget. Nothing is allocated here: whoever allocates reserves first, and a
/// request that would exceed the budget is refused before it costs anything.
#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/types.h"

namespace cuzk {

/// Named accounts ("keys", "jobs", ...) under one budget in bytes. Any thread may call. It must outlive its
/// reservations.
class MemoryLedger {
 public:
  /// What one account holds now, and the most that it ever held.
  struct Account {
    std::string name;
    u64 bytes = 0;
    u64 peak = 0;
  };

  /// The state of the whole ledger at one moment; accounts by name.
  struct Snapshot {
    u64 budget = 0;
    u64 reserved = 0;
    u64 peak = 0;
    std::vector<Account> accounts;
  };

  /// Bytes of one account; given back at its end. Moves, does not copy.
  class Reservation {
   public:
    Reservation() = default;
    Reservation(Reservation&& other) noexcept;
    Reservation& operator=(Reservation&& other) noexcept;
    ~Reservation();

    u64 bytes() const { return bytes_; }
    /// Changes the amount; throws as reserve() does, and then holds what it held before.
    void resize(u64 bytes);

   private:
    friend class MemoryLedger;
    Reservation(MemoryLedger* ledger, Account* account, u64 bytes)
        : ledger_(ledger), account_(account), bytes_(bytes) {}

    MemoryLedger* ledger_ = nullptr;
    Account* account_ = nullptr;
    u64 bytes_ = 0;
  };

  explicit MemoryLedger(u64 budget) : budget_(budget) {}

  /// Throws Error{resource_exhausted} naming the account, what was asked, what is left and the budget.
  Reservation reserve(std::string_view account, u64 bytes);

  /// As reserve(), but nothing where the budget does not suffice.
  std::optional<Reservation> try_reserve(std::string_view account, u64 bytes);

  Snapshot snapshot() const;

 private:
  bool add(Account& account, u64 bytes);
  void subtract(Account& account, u64 bytes) noexcept;
  Account& find_or_open(std::string_view name);
  [[noreturn]] void throw_exhausted(const std::string& account, u64 bytes) const;

  const u64 budget_;
  mutable std::mutex mutex_;
  u64 reserved_ = 0;
  u64 peak_ = 0;
  std::map<std::string, Account, std::less<>> accounts_;  // nodes stay in place, reservations point to them
};

}  // namespace cuzk
