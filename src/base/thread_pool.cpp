#include "base/thread_pool.h"

namespace cuzk {

ThreadPool& ThreadPool::shared() {
  static ThreadPool pool;
  return pool;
}

}  // namespace cuzk
