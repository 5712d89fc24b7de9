#include "farm/desk_threads.h"

#include <utility>

#include "base/error.h"

namespace cuzk::farm {

DeskThreads::DeskThreads(const FarmOptions& options, const std::string& session, unsigned threads) {
  for (unsigned i = 0; i < threads; ++i) queues_.emplace_back(options, session);
  for (auto& queue : queues_) threads_.emplace_back([this, &queue] { run(queue); });
}

void DeskThreads::add(Task task) {
  {
    const std::lock_guard lock(mutex_);
    if (stopped_) throw Error(Code::unavailable, "the daemon is stopping");
    if (tasks_.size() >= kMostWaiting)
      throw Error(Code::resource_exhausted, fmt::format("{} calls wait for the farm's database", tasks_.size()));
    tasks_.push_back(std::move(task));
  }
  added_.notify_one();
}

void DeskThreads::run(FarmQueue& queue) {
  std::unique_lock lock(mutex_);
  for (;;) {
    added_.wait(lock, [&] { return stopped_ || !tasks_.empty(); });
    if (tasks_.empty()) return;
    const Task task = std::move(tasks_.front());
    tasks_.pop_front();
    lock.unlock();
    task(queue);
    lock.lock();
  }
}

void DeskThreads::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
    for (auto& queue : queues_) queue.interrupt();
  }
  added_.notify_all();
  for (auto& thread : threads_)
    if (thread.joinable()) thread.join();
}

}  // namespace cuzk::farm
