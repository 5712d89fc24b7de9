/// A bounded set of threads for data-parallel work, on oneTBB. Results never depend on the number of threads.
///
/// Calls block until the work is done; an exception of one piece is rethrown to the caller, and pieces that have not begun
/// are left out. Nested use is fine: a thread that waits takes part in the work.
///
/// Work that may have to end early gets a pool that knows it: arithmetic takes a ThreadPool& and need not know who stops it.
///
///     ThreadPool stoppable = pool.until(control.stop);
///     msm::multi_scalar_mul(points, scalars, stoppable);   // throws Error{cancelled} soon after the stop
#pragma once

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_invoke.h>
#include <tbb/task_arena.h>

#include <cstddef>
#include <memory>
#include <stop_token>
#include <utility>

#ifdef __SANITIZE_THREAD__
#include <sanitizer/tsan_interface.h>
#endif

namespace cuzk {

/// Tells the thread sanitizer the order that oneTBB keeps between the pieces of one call and their caller, who has this
/// object as long as the call lasts; it cannot see it by itself, for the library is not instrumented. Elsewhere it is
/// nothing.
class TaskOrder {
 public:
  TaskOrder() { release(); }
  ~TaskOrder() { acquire(); }
  TaskOrder(const TaskOrder&) = delete;
  TaskOrder& operator=(const TaskOrder&) = delete;

  /// A piece of the call, as long as this object lives.
  class Piece {
   public:
    explicit Piece(TaskOrder& order) : order_(order) { order_.acquire(); }
    ~Piece() { order_.release(); }
    Piece(const Piece&) = delete;
    Piece& operator=(const Piece&) = delete;

   private:
    TaskOrder& order_;
  };

 private:
#ifdef __SANITIZE_THREAD__
  void acquire() { __tsan_acquire(this); }  ///< what was done before a release() is visible from here
  void release() { __tsan_release(this); }
#else
  void acquire() {}
  void release() {}
#endif
};

class ThreadPool {
 public:
  /// threads = 0 takes all processors that this process may use.
  explicit ThreadPool(unsigned threads = 0)
      : arena_(
            std::make_shared<tbb::task_arena>(threads == 0 ? tbb::task_arena::automatic : static_cast<int>(threads))) {}

  /// The same threads, for work that ends early when `stop` is asked to: then calls throw Error{cancelled} instead of
  /// beginning another piece.
  ThreadPool until(std::stop_token stop) const { return ThreadPool(arena_, std::move(stop)); }

  /// Throws Error{cancelled} where the work is to end early. For loops within a piece, every few milliseconds.
  void check_stop() const {
    if (stop_.stop_requested()) throw_stopped();
  }

  unsigned threads() const { return static_cast<unsigned>(arena_->max_concurrency()); }

  /// Calls f(begin, end) on pieces of [begin, end) of about `grain` items.
  template <class F>
  void parallel_for(std::size_t begin, std::size_t end, std::size_t grain, F&& f) {
    if (begin >= end) return;
    TaskOrder order;
    arena_->execute([&] {
      tbb::parallel_for(tbb::blocked_range<std::size_t>(begin, end, grain == 0 ? 1 : grain),
                        [piece = piece_of(order, f)](const auto& range) { piece(range.begin(), range.end()); });
    });
  }

  /// Runs all functions, side by side where there are threads.
  template <class... F>
  void invoke(F&&... f) {
    TaskOrder order;
    arena_->execute([&] { tbb::parallel_invoke(piece_of(order, f)...); });
  }

  /// The pool of the process, for callers that have no reason to limit themselves.
  static ThreadPool& shared();

 private:
  ThreadPool(std::shared_ptr<tbb::task_arena> arena, std::stop_token stop)
      : arena_(std::move(arena)), stop_(std::move(stop)) {}

  [[noreturn]] static void throw_stopped();

  template <class F>
  auto piece_of(TaskOrder& order, F& f) const {
    return [this, &order, &f](auto&&... arguments) {
      const TaskOrder::Piece piece(order);  // first: from here on a sanitizer knows who made stop_
      check_stop();
      f(std::forward<decltype(arguments)>(arguments)...);
    };
  }

  std::shared_ptr<tbb::task_arena> arena_;
  std::stop_token stop_;
};

}  // namespace cuzk
