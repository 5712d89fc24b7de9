/// The parts of the engine that its source files share.
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <stop_token>
#include <vector>

#include "engine/engine.h"

namespace cuzk::engine {

struct Engine::Batch {
  struct Item {
    JobPointer job;
    std::shared_ptr<const JobWork> work;  ///< the job's, which may end before what runs on a lost device does
    u32 partition = 0;
    std::stop_source stop;
  };

  BatchId id = 0;
  std::string circuit_id;
  DeviceLanes* device = nullptr;
  u32 lane = 0;
  std::vector<Item> items;
  std::size_t current = 0;       ///< of the items
  PartitionView::State state{};  ///< of the current one
  Clock::time_point since{};     ///< when the current one began
  Clock::time_point started = Clock::now();
  std::atomic<bool> is_preempted = false;
  bool is_lost = false;  ///< with its device: what comes of it is nobody's any more; the engine's mutex guards it
};

/// To the nearest, as the stages of a job are.
inline std::chrono::milliseconds between(Clock::time_point begin, Clock::time_point end) {
  return std::chrono::round<std::chrono::milliseconds>(end - begin);
}

template <class Work>
void Engine::change(Work&& work) {
  After after;
  {
    const std::lock_guard lock(mutex_);
    work(after);
  }
  changed_.notify_all();
  for (const auto& next : after) next();
}

}  // namespace cuzk::engine
