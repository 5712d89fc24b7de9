#include "cuda/pinned_pool.h"

#include "base/error.h"

namespace cuzk::cuda {
namespace {

std::size_t checked_block(std::size_t bytes, std::size_t blocks) {
  constexpr std::size_t kAlignment = MemoryResource::kAlignment;
  if (bytes > SIZE_MAX - kAlignment || (blocks != 0 && bytes > SIZE_MAX / blocks - kAlignment))
    throw Error(Code::resource_exhausted, fmt::format("pinned memory: no {} blocks of {} bytes", blocks, bytes));
  return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

}  // namespace

PinnedPool::PinnedPool(MemoryResource& upstream, std::size_t block_bytes, std::size_t blocks)
    : upstream_(upstream),
      block_bytes_(checked_block(block_bytes, blocks)),
      blocks_(blocks),
      free_(blocks),
      memory_(static_cast<std::byte*>(upstream.allocate(block_bytes_ * blocks_))) {
  for (std::size_t i = 0; i < blocks_; ++i) free_[i] = memory_ + i * block_bytes_;
}

PinnedPool::~PinnedPool() { upstream_.deallocate(memory_, block_bytes_ * blocks_); }

PinnedPool::Lease PinnedPool::acquire(std::stop_token stop) {
  std::unique_lock lock(mutex_);
  if (!given_back_.wait(lock, std::move(stop), [this] { return !free_.empty(); }))
    throw Error(Code::cancelled, "pinned memory: cancelled while all blocks were lent");
  return lend();
}

std::optional<PinnedPool::Lease> PinnedPool::try_acquire() {
  const std::lock_guard lock(mutex_);
  if (free_.empty()) return std::nullopt;
  return lend();
}

PinnedPool::Lease PinnedPool::lend() {
  std::byte* const block = free_.back();
  free_.pop_back();
  return Lease(*this, {block, block_bytes_});
}

void PinnedPool::give_back(std::byte* block) noexcept {
  const std::lock_guard lock(mutex_);
  free_.push_back(block);
  given_back_.notify_one();
}

PinnedPool::Lease::~Lease() {
  if (pool_ != nullptr) pool_->give_back(bytes_.data());
}

}  // namespace cuzk::cuda
