/// Checks of many parts, side by side.
#pragma once

#include <atomic>
#include <exception>
#include <mutex>

#include "base/thread_pool.h"

namespace cuzk::filecoin {

/// Calls check(i) for all i below `count`. Of several faults the first is reported, as if the parts were checked in
/// order: throws what the lowest i throws. Parts behind a fault may be left out.
template <class Check>
void check_each(ThreadPool& pool, std::size_t count, const Check& check) {
  std::atomic<std::size_t> first = count;
  std::mutex mutex;
  std::exception_ptr fault;
  pool.parallel_for(0, count, 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end && i < first; ++i) {
      pool.check_stop();
      try {
        check(i);
      } catch (...) {
        const std::lock_guard lock(mutex);
        if (i >= first) continue;
        first = i;
        fault = std::current_exception();
      }
    }
  });
  if (fault) std::rethrow_exception(fault);
}

}  // namespace cuzk::filecoin
