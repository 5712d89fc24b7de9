/// Something that each thread of a parallel work has for itself, such as scratch memory: made at a thread's first call
/// and kept until the end of this object, so that pieces of work do not each take memory and give it back.
#pragma once

#include <tbb/enumerable_thread_specific.h>

namespace cuzk {

/// Each T belongs to one thread. A piece that uses its own T must not wait for nested parallel work meanwhile: a thread
/// that waits takes up other pieces, which would use the same T.
template <class T>
class PerThread {
 public:
  /// The calling thread's own T.
  T& own() { return objects_.local(); }

 private:
  tbb::enumerable_thread_specific<T> objects_;
};

}  // namespace cuzk
