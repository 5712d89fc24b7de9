#include "cuda/arena.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <iterator>

#include "base/error.h"

namespace cuzk::cuda {
namespace {

/// A capacity that cannot be rounded cannot be had either: upstream refuses it as it is.
constexpr std::size_t rounded_up(std::size_t bytes) {
  constexpr std::size_t kAlignment = MemoryResource::kAlignment;
  return bytes > SIZE_MAX - kAlignment ? bytes : (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

}  // namespace

Arena::Arena(MemoryResource& upstream, std::size_t capacity)
    : upstream_(upstream),
      capacity_(rounded_up(capacity)),
      blocks_{{0, Block{capacity_, MemoryUse::free}}},
      memory_(static_cast<u8*>(upstream.allocate(capacity_))) {}

Arena::~Arena() {
  if (in_use_ != 0) spdlog::error("arena: {} bytes of {} were not given back before its end", in_use_, capacity_);
  upstream_.deallocate(memory_, capacity_);
}

Arena::Usage Arena::usage() const {
  const std::lock_guard lock(mutex_);
  return {.capacity = capacity_, .in_use = in_use_, .peak = peak_, .largest_free = largest_free()};
}

std::vector<groth16::MemoryRegion::Block> Arena::blocks() const {
  const std::lock_guard lock(mutex_);
  std::vector<groth16::MemoryRegion::Block> result;
  for (const auto& [offset, block] : blocks_) {
    if (result.empty() || result.back().use != block.use) result.push_back({block.use, 0});
    result.back().bytes += block.bytes;
  }
  return result;
}

void Arena::reset_peak() {
  const std::lock_guard lock(mutex_);
  peak_ = in_use_;
}

void* Arena::take(std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  const auto block = best_fit(bytes);
  if (block == blocks_.end())
    throw Error(Code::resource_exhausted,
                fmt::format("arena: {} bytes asked, {} free of {}, the largest free block has {}", bytes,
                            capacity_ - in_use_, capacity_, largest_free()));
  split(block, bytes);
  block->second.use = MemoryUseScope::current();
  in_use_ += bytes;
  peak_ = std::max(peak_, in_use_);
  return memory_ + block->first;
}

void Arena::give_back(void* memory, std::size_t bytes) noexcept {
  const std::lock_guard lock(mutex_);
  const auto block = blocks_.find(static_cast<std::size_t>(static_cast<u8*>(memory) - memory_));
  if (block == blocks_.end() || block->second.is_free() || block->second.bytes != bytes) {
    spdlog::error("arena: {} bytes given back that it did not hand out so", bytes);
    return;
  }
  block->second.use = MemoryUse::free;
  in_use_ -= bytes;
  join_with_next(block);
  if (block != blocks_.begin()) join_with_next(std::prev(block));
}

Arena::Blocks::iterator Arena::best_fit(std::size_t bytes) {
  auto best = blocks_.end();
  for (auto block = blocks_.begin(); block != blocks_.end(); ++block) {
    if (!block->second.is_free() || block->second.bytes < bytes) continue;
    if (best == blocks_.end() || block->second.bytes < best->second.bytes) best = block;
  }
  return best;
}

/// Cuts the block to `bytes`; the rest becomes a free block of its own.
void Arena::split(Blocks::iterator block, std::size_t bytes) {
  const std::size_t rest = block->second.bytes - bytes;
  if (rest == 0) return;
  blocks_.emplace_hint(std::next(block), block->first + bytes, Block{rest, MemoryUse::free});
  block->second.bytes = bytes;
}

/// Joins two free neighbours; otherwise does nothing.
void Arena::join_with_next(Blocks::iterator block) noexcept {
  const auto next = std::next(block);
  if (!block->second.is_free() || next == blocks_.end() || !next->second.is_free()) return;
  block->second.bytes += next->second.bytes;
  blocks_.erase(next);
}

std::size_t Arena::largest_free() const {
  std::size_t largest = 0;
  for (const auto& [offset, block] : blocks_)
    if (block.is_free()) largest = std::max(largest, block.bytes);
  return largest;
}

}  // namespace cuzk::cuda
