/// A pool without other threads: an execution is too short to share, and others fuzz on the other processors.
#pragma once

#include "base/thread_pool.h"

namespace cuzk::fuzz {

inline ThreadPool& one_thread() {
  static ThreadPool pool(1);
  return pool;
}

}  // namespace cuzk::fuzz
