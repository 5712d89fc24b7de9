/// The parts of the engine that its source files share.
#pragma once

#include <atomic>
#include <stop_token>
#include <vector>

#include "engine/engine.h"

namespace cuzk::engine {

/// The one device that there is, as the scheduler numbers it.
inline constexpr DeviceId kDevice = 0;

struct Engine::Batch {
  struct Item {
    JobPointer job;
    u32 partition = 0;
    std::stop_source stop;
  };

  BatchId id = 0;
  std::string circuit_id;
  enum class Lane : u8 { ordinary, urgent } lane = Lane::ordinary;
  u32 lane_number = 0;
  std::vector<Item> items;
  std::size_t current = 0;       ///< of the items
  PartitionView::State state{};  ///< of the current one
  Clock::time_point since{};     ///< when the current one began
  std::atomic<bool> is_preempted = false;
};

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
