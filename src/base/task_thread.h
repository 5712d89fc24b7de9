/// One thread that does tasks one after the other.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <stop_token>
#include <thread>
#include <utility>

namespace cuzk {

class TaskThread {
 public:
  /// Gets a token that is asked to stop when the thread ends. Must not throw.
  using Task = std::function<void(std::stop_token)>;

  TaskThread() : thread_([this](const std::stop_token& stop) { work(stop); }) {}

  ~TaskThread() { stop(); }
  TaskThread(const TaskThread&) = delete;
  TaskThread& operator=(const TaskThread&) = delete;

  /// After stop() the task is run here and now, with a token that says stop already.
  void add(Task task) {
    {
      const std::lock_guard lock(mutex_);
      if (!stopped_) {
        tasks_.push_back(std::move(task));
        added_.notify_one();
        return;
      }
    }
    task(thread_.get_stop_token());
  }

  /// Asks the running task to stop, runs the others with a token that says stop already, and returns when they are
  /// done. Called by one thread.
  void stop() {
    {
      const std::lock_guard lock(mutex_);
      stopped_ = true;
    }
    thread_.request_stop();
    if (thread_.joinable()) thread_.join();
  }

 private:
  void work(const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    while (added_.wait(lock, stop, [&] { return !tasks_.empty(); })) {
      const Task task = std::move(tasks_.front());
      tasks_.pop_front();
      lock.unlock();
      task(stop);
      lock.lock();
    }
  }

  std::mutex mutex_;
  std::condition_variable_any added_;
  std::deque<Task> tasks_;
  bool stopped_ = false;
  std::jthread thread_;  // last: it uses the others
};

}  // namespace cuzk
