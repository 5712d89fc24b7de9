#include "base/buffer.h"

#include <sys/mman.h>

#include <new>

#include "base/error.h"

namespace cuzk {
namespace {

constexpr std::size_t kHugePage = std::size_t{2} << 20;
constexpr std::align_val_t kAlignment{64};

[[noreturn]] void throw_exhausted(std::size_t bytes) {
  throw Error(Code::resource_exhausted, fmt::format("memory: no {} bytes for a buffer", bytes));
}

/// Maps whole huge pages: the kernel gives no alignment, so one more is mapped and both ends are cut.
void* map_huge(std::size_t bytes) {
  if (bytes > SIZE_MAX - 2 * kHugePage) throw_exhausted(bytes);
  const std::size_t length = (bytes + kHugePage - 1) / kHugePage * kHugePage;
  void* const mapped =
      mmap(nullptr, length + kHugePage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapped == MAP_FAILED) throw_exhausted(bytes);
  u8* const begin = static_cast<u8*>(mapped);
  const std::size_t before = (kHugePage - reinterpret_cast<std::uintptr_t>(begin) % kHugePage) % kHugePage;
  if (before != 0) munmap(begin, before);
  if (before != kHugePage) munmap(begin + before + length, kHugePage - before);
  madvise(begin + before, length, MADV_HUGEPAGE);  // advice: a kernel without huge pages serves small ones
  return begin + before;
}

}  // namespace

void* allocate_pages(std::size_t bytes) {
  if (bytes == 0) return nullptr;
  if (bytes >= kHugePage) return map_huge(bytes);
  void* const memory = ::operator new(bytes, kAlignment, std::nothrow);
  if (memory == nullptr) throw_exhausted(bytes);
  return memory;
}

void release_pages(void* memory, std::size_t bytes) noexcept {
  if (memory == nullptr) return;
  if (bytes >= kHugePage) {
    munmap(memory, (bytes + kHugePage - 1) / kHugePage * kHugePage);
  } else {
    ::operator delete(memory, kAlignment);
  }
}

}  // namespace cuzk
