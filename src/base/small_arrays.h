/// Memory of small arrays that come by the hundred thousand and go together, such as the values of a decoded request.
///
/// They lie one behind the other, without headers, in huge pages: a hundred megabytes of them cost 50 page faults instead
/// of 25,000. A thread fills its page and takes the next; a page goes back to the system with its last array. So one array
/// that outlives its neighbours keeps 2 MiB: what lives long and alone belongs elsewhere. Under the address sanitizer
/// every array is one of the heap, so that it sees their bounds.
#pragma once

#include <vector>

#include "base/types.h"

namespace cuzk {

/// Storage that starts at a multiple of 16. Throws Error{resource_exhausted}. Threads: any may call.
void* allocate_small(std::size_t bytes);
/// Gives back what allocate_small(bytes) returned, in any thread.
void release_small(void* memory, std::size_t bytes) noexcept;

/// Bytes of the pages that are held now, by all threads.
std::size_t small_array_bytes() noexcept;

template <class T>
struct SmallArrayAllocator {
  static_assert(alignof(T) <= 16);
  using value_type = T;

  SmallArrayAllocator() = default;
  template <class U>
  SmallArrayAllocator(const SmallArrayAllocator<U>&) {}  // NOLINT: allocators convert

  T* allocate(std::size_t count) { return static_cast<T*>(allocate_small(count * sizeof(T))); }
  void deallocate(T* memory, std::size_t count) noexcept { release_small(memory, count * sizeof(T)); }
  bool operator==(const SmallArrayAllocator&) const = default;
};

/// What it leaves behind as it grows stays in the page, so it is made at its size or reserved.
template <class T>
using SmallArray = std::vector<T, SmallArrayAllocator<T>>;

}  // namespace cuzk
