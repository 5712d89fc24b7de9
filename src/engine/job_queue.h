/// The order in which jobs are taken in: a higher priority first, within a priority the one that came first. No clock, no thread,
/// no lock: whoever owns it calls it from one thread at a time.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <set>

#include "engine/request.h"

namespace cuzk::engine {

template <class Job>
class JobQueue {
 public:
  using Pointer = std::shared_ptr<Job>;

  void push(Priority priority, Pointer job) { entries_.insert({priority, next_++, std::move(job)}); }

  /// The job whose turn it is; null when there is none.
  Pointer pop() {
    if (entries_.empty()) return nullptr;
    return std::move(entries_.extract(entries_.begin()).value().job);
  }

  /// Takes a job out; false when it is not here.
  bool remove(const Job& job) {
    return std::erase_if(entries_, [&](const Entry& entry) { return entry.job.get() == &job; }) != 0;
  }

  /// How many jobs go before it; nothing when it is not here.
  std::optional<std::size_t> position(const Job& job) const {
    std::size_t before = 0;
    for (const Entry& entry : entries_) {
      if (entry.job.get() == &job) return before;
      ++before;
    }
    return std::nullopt;
  }

  /// Whether a job of this priority or a higher one waits.
  bool has(Priority lowest) const { return !entries_.empty() && entries_.begin()->priority >= lowest; }

  std::size_t size() const { return entries_.size(); }
  bool empty() const { return entries_.empty(); }

 private:
  struct Entry {
    Priority priority;
    u64 number;
    Pointer job;

    friend bool operator<(const Entry& a, const Entry& b) {
      return a.priority != b.priority ? a.priority > b.priority : a.number < b.number;
    }
  };

  std::set<Entry> entries_;
  u64 next_ = 0;
};

}  // namespace cuzk::engine
