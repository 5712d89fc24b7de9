/// For tests of work that ends early.
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <stop_token>
#include <thread>

#include "base/error.h"
#include "base/thread_pool.h"

namespace cuzk::test {

/// Does `work(pool)` over and over until the stop of its pool ends it, which is asked for once the work has begun.
template <class Work>
void expect_stops(const Work& work) {
  std::stop_source stop;
  ThreadPool pool = ThreadPool::shared().until(stop.get_token());
  std::atomic<bool> has_begun = false;
  std::jthread stopper([&] {
    has_begun.wait(false);
    stop.request_stop();
  });
  has_begun = true;
  has_begun.notify_one();
  try {
    while (true) work(pool);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::cancelled) << error.what();
  }
}

}  // namespace cuzk::test
