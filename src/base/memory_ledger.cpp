#include "base/memory_ledger.h"

#include <algorithm>

#include "base/error.h"

namespace cuzk {

MemoryLedger::Reservation::Reservation(Reservation&& other) noexcept
    : ledger_(std::exchange(other.ledger_, nullptr)),
      account_(std::exchange(other.account_, nullptr)),
      bytes_(std::exchange(other.bytes_, 0)) {}

MemoryLedger::Reservation& MemoryLedger::Reservation::operator=(Reservation&& other) noexcept {
  Reservation taken(std::move(other));
  std::swap(ledger_, taken.ledger_);
  std::swap(account_, taken.account_);
  std::swap(bytes_, taken.bytes_);
  return *this;
}

MemoryLedger::Reservation::~Reservation() {
  if (ledger_ != nullptr) ledger_->subtract(*account_, bytes_);
}

void MemoryLedger::Reservation::resize(u64 bytes) {
  if (ledger_ == nullptr) throw internal_error("memory: a reservation without a ledger cannot change its size");
  if (bytes > bytes_) {
    if (!ledger_->add(*account_, bytes - bytes_)) ledger_->throw_exhausted(account_->name, bytes - bytes_);
  } else {
    ledger_->subtract(*account_, bytes_ - bytes);
  }
  bytes_ = bytes;
}

MemoryLedger::Reservation MemoryLedger::reserve(std::string_view account, u64 bytes) {
  auto reservation = try_reserve(account, bytes);
  if (!reservation) throw_exhausted(std::string(account), bytes);
  return std::move(*reservation);
}

std::optional<MemoryLedger::Reservation> MemoryLedger::try_reserve(std::string_view account, u64 bytes) {
  Account& found = find_or_open(account);
  if (!add(found, bytes)) return std::nullopt;
  return Reservation(this, &found, bytes);
}

MemoryLedger::Snapshot MemoryLedger::snapshot() const {
  const std::lock_guard lock(mutex_);
  Snapshot snapshot{budget_, reserved_, peak_, {}};
  for (const auto& [name, account] : accounts_) snapshot.accounts.push_back(account);
  return snapshot;
}

bool MemoryLedger::add(Account& account, u64 bytes) {
  const std::lock_guard lock(mutex_);
  if (bytes > budget_ - reserved_) return false;
  reserved_ += bytes;
  account.bytes += bytes;
  peak_ = std::max(peak_, reserved_);
  account.peak = std::max(account.peak, account.bytes);
  return true;
}

void MemoryLedger::subtract(Account& account, u64 bytes) noexcept {
  const std::lock_guard lock(mutex_);
  reserved_ -= bytes;
  account.bytes -= bytes;
}

MemoryLedger::Account& MemoryLedger::find_or_open(std::string_view name) {
  const std::lock_guard lock(mutex_);
  const auto found = accounts_.find(name);
  if (found != accounts_.end()) return found->second;
  return accounts_.emplace(name, Account{std::string(name), 0, 0}).first->second;
}

void MemoryLedger::throw_exhausted(const std::string& account, u64 bytes) const {
  const std::lock_guard lock(mutex_);
  throw Error(Code::resource_exhausted, fmt::format("memory: {} bytes asked for {}, {} left of a budget of {}", bytes,
                                                    account, budget_ - reserved_, budget_));
}

}  // namespace cuzk
