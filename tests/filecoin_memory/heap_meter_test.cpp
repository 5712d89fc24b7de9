#include "filecoin_memory/heap_meter.h"

#include <gtest/gtest.h>
#include <malloc.h>

#include <atomic>
#include <cstdlib>
#include <new>
#include <vector>

namespace cuzk::test {
namespace {

std::atomic<std::size_t> now{0}, most{0};

void* count(void* memory) {
  if (memory == nullptr) throw std::bad_alloc();
  const std::size_t bytes = malloc_usable_size(memory);
  const std::size_t total = now.fetch_add(bytes) + bytes;
  for (std::size_t peak = most; total > peak && !most.compare_exchange_weak(peak, total);) {
  }
  return memory;
}

void give_back(void* memory) {
  if (memory == nullptr) return;
  now -= malloc_usable_size(memory);
  std::free(memory);
}

}  // namespace

HeapUse heap_use() { return {now, most}; }
void reset_heap_peak() { most = now.load(); }

/// Memory that is used, so that the compiler cannot leave it out.
class Block {
 public:
  explicit Block(std::size_t bytes) : bytes_(bytes, 1) { last_ = bytes_.back(); }

 private:
  static inline volatile char last_ = 0;
  std::vector<char> bytes_;
};

TEST(HeapMeter, SeesWhatIsHeldAndTheMostOfIt) {
  const std::size_t cost = heap_cost([] {
    { const Block small(100'000); }
    const Block large(300'000);
  });
  EXPECT_GE(cost, 300'000u);
  EXPECT_LT(cost, 310'000u);
  const std::size_t before = heap_use().now;
  const Block kept(5000);
  EXPECT_GE(heap_use().now, before + 5000);
}

}  // namespace cuzk::test

// The other forms of new and delete come to these. Inlined, the compiler would take malloc and delete for a mismatch.
[[gnu::noinline]] void* operator new(std::size_t bytes) { return cuzk::test::count(std::malloc(bytes)); }
[[gnu::noinline]] void* operator new(std::size_t bytes, std::align_val_t alignment) {
  const auto unit = static_cast<std::size_t>(alignment);
  return cuzk::test::count(std::aligned_alloc(unit, (bytes + unit - 1) / unit * unit));
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { cuzk::test::give_back(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { cuzk::test::give_back(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::align_val_t) noexcept { cuzk::test::give_back(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
  cuzk::test::give_back(memory);
}
