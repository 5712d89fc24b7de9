#include "engine/journal/commit_queue.h"

#include <algorithm>
#include <future>
#include <iterator>
#include <memory>
#include <utility>

#include "base/failpoint.h"

namespace cuzk::engine {

CommitQueue::CommitQueue(Database& database, std::mutex& mutex, std::size_t max_group)
    : database_(database),
      database_mutex_(mutex),
      begin_(database, "BEGIN IMMEDIATE"),
      commit_(database, "COMMIT"),
      max_group_(std::max<std::size_t>(max_group, 1)) {
  writer_ = std::jthread([this](const std::stop_token& stop) { work(stop); });
}

CommitQueue::~CommitQueue() {
  writer_.request_stop();
  writer_.join();
}

void CommitQueue::push(Change change) {
  {
    const std::lock_guard lock(mutex_);
    waiting_.push_back(std::move(change));
  }
  pushed_.notify_one();
}

void CommitQueue::flush() {
  const auto promise = std::make_shared<std::promise<void>>();
  push({[] {}, [promise](const std::exception_ptr&) { promise->set_value(); }, {}});
  promise->get_future().get();
}

CommitQueue::Counts CommitQueue::counts() const {
  const std::lock_guard lock(mutex_);
  return counts_;
}

void CommitQueue::work(const std::stop_token& stop) {
  while (true) {
    std::vector<Change> group = next(stop);
    if (group.empty()) return;
    const Outcomes outcomes = commit(group);
    CUZK_FAILPOINT("journal.acknowledge");  // for an end of the process only: what is committed cannot fail
    for (std::size_t i = 0; i < group.size(); ++i) group[i].done(outcomes[i]);
    for (const Change& change : group) {
      if (change.clean_up) change.clean_up();
    }
  }
}

/// Waits for changes; none: the queue ends and is empty.
std::vector<Change> CommitQueue::next(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  pushed_.wait(lock, stop, [&] { return !waiting_.empty(); });
  const auto end = waiting_.begin() + static_cast<std::ptrdiff_t>(std::min(waiting_.size(), max_group_));
  std::vector<Change> group(std::make_move_iterator(waiting_.begin()), std::make_move_iterator(end));
  waiting_.erase(waiting_.begin(), end);
  return group;
}

CommitQueue::Outcomes CommitQueue::commit(std::span<Change> group) {
  const std::lock_guard lock(database_mutex_);
  const auto together = try_commit(group);
  if (together == nullptr || group.size() == 1) return Outcomes(group.size(), together);
  Outcomes outcomes;
  for (std::size_t i = 0; i < group.size(); ++i) outcomes.push_back(try_commit(group.subspan(i, 1)));
  return outcomes;
}

/// Null: the changes are on the disk. Otherwise nothing of them is there.
std::exception_ptr CommitQueue::try_commit(std::span<Change> group) {
  try {
    CUZK_FAILPOINT("journal.begin");
    begin_.execute();
    for (const Change& change : group) {
      CUZK_FAILPOINT("journal.apply");
      change.apply();
    }
    CUZK_FAILPOINT("journal.commit");
    commit_.execute();
  } catch (...) {
    database_.roll_back();
    return std::current_exception();
  }
  const std::lock_guard lock(mutex_);
  counts_.changes += group.size();
  ++counts_.transactions;
  return nullptr;
}

}  // namespace cuzk::engine
