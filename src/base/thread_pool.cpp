#include "base/thread_pool.h"

#include "base/error.h"

namespace cuzk {

ThreadPool& ThreadPool::shared() {
  static ThreadPool pool;
  return pool;
}

void ThreadPool::throw_stopped() { throw Error(Code::cancelled, "stopped by its caller"); }

}  // namespace cuzk
