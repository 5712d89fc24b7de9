/// A bounded set of threads for data-parallel work, on oneTBB. Results never depend on the number of threads.
///
/// Calls block until the work is done; an exception of one piece is rethrown to the caller. Nested use is fine: a thread
/// that waits takes part in the work.
#pragma once

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_invoke.h>
#include <tbb/task_arena.h>

#include <cstddef>
#include <utility>

#ifdef __SANITIZE_THREAD__
#include <sanitizer/tsan_interface.h>
#endif

namespace cuzk {

/// Tells the thread sanitizer the order that oneTBB keeps between the pieces of one call and their caller; it cannot see
/// it by itself, for the library is not instrumented. Elsewhere it is nothing.
class TaskOrder {
 public:
#ifdef __SANITIZE_THREAD__
  void begin() { __tsan_acquire(this); }  ///< what was done before an end() is visible from here
  void end() { __tsan_release(this); }
#else
  void begin() {}
  void end() {}
#endif

  /// A function that runs f between begin() and end().
  template <class F>
  auto around(F& f) {
    return [this, &f](auto&&... arguments) {
      begin();
      f(std::forward<decltype(arguments)>(arguments)...);
      end();
    };
  }
};

class ThreadPool {
 public:
  /// threads = 0 takes all processors that this process may use.
  explicit ThreadPool(unsigned threads = 0)
      : arena_(threads == 0 ? tbb::task_arena::automatic : static_cast<int>(threads)) {}

  unsigned threads() const { return static_cast<unsigned>(arena_.max_concurrency()); }

  /// Calls f(begin, end) on pieces of [begin, end) of about `grain` items.
  template <class F>
  void parallel_for(std::size_t begin, std::size_t end, std::size_t grain, F&& f) {
    if (begin >= end) return;
    TaskOrder order;
    order.end();
    arena_.execute([&] {
      tbb::parallel_for(tbb::blocked_range<std::size_t>(begin, end, grain == 0 ? 1 : grain),
                        [piece = order.around(f)](const auto& range) { piece(range.begin(), range.end()); });
    });
    order.begin();
  }

  /// Runs all functions, side by side where there are threads.
  template <class... F>
  void invoke(F&&... f) {
    TaskOrder order;
    order.end();
    arena_.execute([&] { tbb::parallel_invoke(order.around(f)...); });
    order.begin();
  }

  /// The pool of the process, for callers that have no reason to limit themselves.
  static ThreadPool& shared();

 private:
  tbb::task_arena arena_;
};

}  // namespace cuzk
