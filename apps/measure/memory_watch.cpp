#include "measure/memory_watch.h"

#include <chrono>

#include "base/machine_memory.h"

namespace cuzk::measure {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kMostPoints = 600;
constexpr double kMegabyte = 1e6;

/// Every other one.
void thin_out(std::vector<std::pair<double, double>>& points) {
  for (std::size_t i = 0; 2 * i < points.size(); ++i) points[i] = points[2 * i];
  points.resize((points.size() + 1) / 2);
}

}  // namespace

MemoryWatch::MemoryWatch() : thread_([this](const std::stop_token& stop) { watch(stop); }) {}

void MemoryWatch::watch(const std::stop_token& stop) {
  const auto begin = Clock::now();
  Clock::duration interval = std::chrono::milliseconds(100);
  std::unique_lock lock(mutex_);
  do {
    const std::chrono::duration<double> passed = Clock::now() - begin;
    series_.points.emplace_back(passed.count(), static_cast<double>(machine_memory().used) / kMegabyte);
    if (series_.points.size() > kMostPoints) {
      thin_out(series_.points);
      interval *= 2;
    }
    const Clock::time_point next = Clock::now() + interval;
    ended_.wait_until(lock, stop, next, [] { return false; });
  } while (!stop.stop_requested());
}

Series MemoryWatch::stop() {
  thread_.request_stop();
  thread_.join();
  return std::move(series_);
}

}  // namespace cuzk::measure
