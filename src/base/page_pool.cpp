#include "base/page_pool.h"

#include <sys/mman.h>

#include <algorithm>
#include <iterator>

#include "base/error.h"

namespace cuzk {
namespace {

constexpr std::size_t kHugePage = std::size_t{2} << 20;

/// Whole huge pages; 0 for what no machine has.
std::size_t length_of(std::size_t bytes) {
  return bytes > SIZE_MAX - 2 * kHugePage ? 0 : (bytes + kHugePage - 1) / kHugePage * kHugePage;
}

/// The kernel gives no alignment, so one more page is mapped and both ends are cut. Null where there is no memory.
void* map_pages(std::size_t length) {
  void* const mapped =
      mmap(nullptr, length + kHugePage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapped == MAP_FAILED) return nullptr;
  u8* const begin = static_cast<u8*>(mapped);
  const std::size_t before = (kHugePage - reinterpret_cast<std::uintptr_t>(begin) % kHugePage) % kHugePage;
  if (before != 0) munmap(begin, before);
  if (before != kHugePage) munmap(begin + before + length, kHugePage - before);
  madvise(begin + before, length, MADV_HUGEPAGE);  // advice: a kernel without huge pages serves small ones
  return begin + before;
}

}  // namespace

PagePool& PagePool::shared() {
  static PagePool& pool = *new PagePool;  // arrays may end after everything that is destroyed at the program's end
  return pool;
}

void PagePool::keep(u64 most, MemoryLedger* ledger) {
  const std::lock_guard lock(mutex_);
  while (kept_ > most || (ledger != ledger_ && kept_ > 0)) drop_oldest();
  most_ = most;
  if (ledger == ledger_) return;
  ledger_ = ledger;
  reservation_ = ledger == nullptr ? MemoryLedger::Reservation() : ledger->reserve("kept pages", 0);
}

u64 PagePool::release() noexcept {
  const std::lock_guard lock(mutex_);
  const u64 bytes = kept_;
  while (!blocks_.empty()) drop_oldest();
  return bytes;
}

void* PagePool::take(std::size_t bytes) {
  const std::size_t length = length_of(bytes);
  if (length == 0) return nullptr;
  if (void* const kept = take_kept(length)) return kept;
  if (void* const fresh = map_pages(length)) return fresh;
  return release() > 0 ? map_pages(length) : nullptr;
}

/// The smallest block that fits; what it has beyond stays.
void* PagePool::take_kept(std::size_t length) {
  const std::lock_guard lock(mutex_);
  auto best = blocks_.end();
  for (auto block = blocks_.begin(); block != blocks_.end(); ++block) {
    const bool fits = block->length >= length && block->length - length <= length / 4;
    if (fits && (best == blocks_.end() || block->length < best->length)) best = block;
  }
  if (best == blocks_.end()) return nullptr;
  u8* const memory = best->memory;
  kept_ -= length;
  if (best->length == length) {
    blocks_.erase(best);
  } else {
    *best = {memory + length, best->length - length};
  }
  if (ledger_ != nullptr) reservation_.resize(kept_);
  return memory;
}

void PagePool::give(void* memory, std::size_t bytes) noexcept {
  const Block block{static_cast<u8*>(memory), length_of(bytes)};
  const std::lock_guard lock(mutex_);
  if (!admit(block)) munmap(block.memory, block.length);
}

bool PagePool::admit(const Block& block) noexcept {
  if (block.length > most_) return false;
  while (kept_ + block.length > most_) drop_oldest();
  try {
    blocks_.reserve(blocks_.size() + 1);
    if (ledger_ != nullptr) reservation_.resize(kept_ + block.length);
  } catch (...) {  // no room in the ledger, or for the list
    return false;
  }
  blocks_.push_back(block);
  kept_ += block.length;
  return true;
}

void PagePool::drop_oldest() noexcept {
  const Block block = blocks_.front();
  blocks_.erase(blocks_.begin());
  munmap(block.memory, block.length);
  kept_ -= block.length;
  if (ledger_ != nullptr) reservation_.resize(kept_);
}

}  // namespace cuzk
