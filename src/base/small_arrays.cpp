#include "base/small_arrays.h"

#include <atomic>
#include <cstdint>
#include <new>
#include <utility>

#include "base/error.h"
#include "base/page_pool.h"

namespace cuzk {
namespace {

constexpr std::size_t kPage = std::size_t{2} << 20, kHeader = 64, kAlignment = 16;

#if defined(__SANITIZE_ADDRESS__)
constexpr std::size_t kLargest = 0;
#elif defined(__has_feature)
constexpr std::size_t kLargest = __has_feature(address_sanitizer) ? 0 : kPage / 16;
#else
constexpr std::size_t kLargest = kPage / 16;  // larger ones would leave much of a page unused
#endif

std::atomic<std::size_t> pages_held{0};

/// What is at the start of a page. Its users are its arrays and the thread that fills it.
struct Page {
  std::atomic<u32> users;
};

/// Keeps nothing. Arrays may end after everything that is destroyed at the program's end.
PagePool& pool() {
  static PagePool& pages = *new PagePool;
  return pages;
}

Page* take_page() {
  void* const memory = pool().take(kPage);
  if (memory == nullptr) throw Error(Code::resource_exhausted, "memory: no page for small arrays");
  pages_held.fetch_add(1, std::memory_order_relaxed);
  return new (memory) Page{1};
}

void leave(Page* page) noexcept {
  if (page->users.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
  pages_held.fetch_sub(1, std::memory_order_relaxed);
  pool().give(page, kPage);
}

/// The page that a thread fills.
class Filler {
 public:
  Filler() = default;
  Filler(const Filler&) = delete;
  Filler& operator=(const Filler&) = delete;
  ~Filler() {
    if (page_ != nullptr) leave(page_);
  }

  void* place(std::size_t bytes) {
    if (page_ != nullptr && page_->users.load(std::memory_order_acquire) == 1)
      used_ = kHeader;  // all its arrays are gone
    if (page_ == nullptr || used_ + bytes > kPage) next_page();
    page_->users.fetch_add(1, std::memory_order_relaxed);
    return reinterpret_cast<u8*>(page_) + std::exchange(used_, used_ + bytes);
  }

 private:
  void next_page() {
    Page* const next = take_page();
    if (page_ != nullptr) leave(page_);
    page_ = next;
    used_ = kHeader;
  }

  Page* page_ = nullptr;
  std::size_t used_ = 0;
};

}  // namespace

void* allocate_small(std::size_t bytes) {
  if (bytes > kLargest) return ::operator new(bytes);
  thread_local Filler filler;
  return filler.place((bytes + kAlignment - 1) / kAlignment * kAlignment);
}

void release_small(void* memory, std::size_t bytes) noexcept {
  if (bytes > kLargest) return ::operator delete(memory);
  const std::size_t place_in_page = reinterpret_cast<std::uintptr_t>(memory) % kPage;
  if (memory != nullptr) leave(reinterpret_cast<Page*>(static_cast<u8*>(memory) - place_in_page));
}

std::size_t small_array_bytes() noexcept { return pages_held.load(std::memory_order_relaxed) * kPage; }

}  // namespace cuzk
