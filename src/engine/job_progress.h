/// How far a running job has come: written by the threads that work on it, read by whoever asks.
#pragma once

#include <mutex>
#include <string>
#include <utility>

#include "base/progress.h"
#include "engine/job.h"

namespace cuzk::engine {

class JobProgress {
 public:
  void start(std::size_t partitions) {
    const std::lock_guard lock(mutex_);
    partitions_ = partitions;
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

  void partition_done() {
    const std::lock_guard lock(mutex_);
    ++partitions_done_;
  }

  void show(JobView& view) const {
    const std::lock_guard lock(mutex_);
    view.stage = stage_;
    view.partitions = partitions_;
    view.partitions_done = partitions_done_;
    view.stage_done = done_;
    view.stage_total = total_;
  }

 private:
  mutable std::mutex mutex_;
  std::string stage_;
  std::size_t partitions_ = 0, partitions_done_ = 0;
  u64 done_ = 0, total_ = 0;
};

}  // namespace cuzk::engine
