/// How far a running job has come: written by the threads that work on it, read by whoever asks.
#pragma once

#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "base/progress.h"
#include "engine/job.h"

namespace cuzk::engine {

class JobProgress {
 public:
  void start(std::size_t partitions) {
    const std::lock_guard lock(mutex_);
    each_.resize(partitions);
  }

  /// A partition is in another state; a partition that was given back is pending again.
  void set(std::size_t partition, PartitionView::State state) {
    const std::lock_guard lock(mutex_);
    Partition& entry = each_.at(partition);
    const auto now = Clock::now();
    add_time(entry.view, entry.since, now);
    if (entry.view.state == State::done) --done_partitions_;  // made again: it was lost with its device
    if (state == State::done) ++done_partitions_;
    if (state == State::pending) entry.view = {};
    entry.view.state = state;
    entry.since = now;
  }

  void enter(std::string stage) {
    const std::lock_guard lock(mutex_);
    stage_ = std::move(stage);
    done_ = total_ = 0;
  }

  void update(const ProgressUpdate& update) {
    const std::lock_guard lock(mutex_);
    stage_ = update.stage;
    done_ = update.done;
    total_ = update.total;
  }

  void show(JobView& view) const {
    const std::lock_guard lock(mutex_);
    view.stage = stage_;
    view.partitions = each_.size();
    view.partitions_done = done_partitions_;
    view.stage_done = done_;
    view.stage_total = total_;
  }

  std::vector<PartitionView> partitions() const {
    const std::lock_guard lock(mutex_);
    std::vector<PartitionView> views;
    for (const Partition& partition : each_) {
      views.push_back(partition.view);
      add_time(views.back(), partition.since, Clock::now());
    }
    return views;
  }

 private:
  using State = PartitionView::State;

  struct Partition {
    PartitionView view;
    Clock::time_point since{};  // in this state
  };

  /// The time since then belongs to the state that it is in.
  static void add_time(PartitionView& view, Clock::time_point since, Clock::time_point now) {
    const auto time = std::chrono::duration_cast<std::chrono::milliseconds>(now - since);
    if (view.state == State::witness) view.witness += time;
    if (view.state == State::proving) view.proving += time;
  }

  mutable std::mutex mutex_;
  std::string stage_;
  std::vector<Partition> each_;
  std::size_t done_partitions_ = 0;
  u64 done_ = 0, total_ = 0;
};

}  // namespace cuzk::engine
