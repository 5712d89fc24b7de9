#include "engine/intake.h"

#include <utility>

namespace cuzk::engine {

Intake::Intake(unsigned threads, Work work) : work_(std::move(work)) {
  const auto start = [this](Priority lowest) {
    threads_.emplace_back([this, lowest](const std::stop_token& stop) { serve(stop, lowest); });
  };
  for (unsigned i = 0; i < threads; ++i) start(Priority::low);
  start(Priority::high);
}

void Intake::push(Priority priority, JobPointer job) {
  {
    const std::lock_guard lock(mutex_);
    queue_.push(priority, std::move(job));
  }
  pushed_.notify_all();
}

bool Intake::remove(const JobEntry& job) {
  const std::lock_guard lock(mutex_);
  return queue_.remove(job);
}

void Intake::serve(const std::stop_token& stop, Priority lowest) {
  std::unique_lock lock(mutex_);
  while (pushed_.wait(lock, stop, [&] { return queue_.has(lowest); })) {
    const JobPointer job = queue_.pop();
    lock.unlock();
    work_(job);
    lock.lock();
  }
}

}  // namespace cuzk::engine
