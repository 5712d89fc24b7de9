/// How much of the heap this program holds. The meter is behind operator new and delete (heap_meter_test.cpp), so that it
/// counts under sanitizers too; what is mapped past them (buffers of 2 MiB and more) it does not see.
#pragma once

#include <algorithm>
#include <cstddef>

namespace cuzk::test {

/// Bytes held now, and the most since reset_heap_peak().
struct HeapUse {
  std::size_t now, peak;
};

HeapUse heap_use();
void reset_heap_peak();

/// The most that `work` holds at a time, beside what was there before.
template <class Work>
std::size_t heap_cost(Work&& work) {
  reset_heap_peak();
  const std::size_t before = heap_use().now;
  work();
  return heap_use().peak - before;
}

}  // namespace cuzk::test
