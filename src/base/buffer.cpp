#include "base/buffer.h"

#include <new>

#include "base/error.h"
#include "base/failpoint.h"
#include "base/page_pool.h"

namespace cuzk {
namespace {

constexpr std::size_t kPooled = std::size_t{2} << 20;  // a huge page: from here on arrays have their own
constexpr std::align_val_t kAlignment{64};

[[noreturn]] void throw_exhausted(std::size_t bytes) {
  throw Error(Code::resource_exhausted, fmt::format("memory: no {} bytes for a buffer", bytes));
}

}  // namespace

void* allocate_pages(std::size_t bytes) {
  if (bytes == 0) return nullptr;
  CUZK_FAILPOINT("memory.take");
  void* const memory =
      bytes >= kPooled ? PagePool::shared().take(bytes) : operator new(bytes, kAlignment, std::nothrow);
  if (memory == nullptr) throw_exhausted(bytes);
  return memory;
}

void release_pages(void* memory, std::size_t bytes) noexcept {
  if (memory == nullptr) return;
  if (bytes >= kPooled) {
    PagePool::shared().give(memory, bytes);
  } else {
    ::operator delete(memory, kAlignment);
  }
}

}  // namespace cuzk
