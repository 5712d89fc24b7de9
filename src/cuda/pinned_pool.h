/// Blocks of pinned host memory, made once and lent one after another: pinning costs half a second a GiB and must not
/// happen while a proof waits.
#pragma once

#include <condition_variable>
#include <mutex>
#include <optional>
#include <span>
#include <stop_token>
#include <utility>
#include <vector>

#include "cuda/memory_resource.h"

namespace cuzk::cuda {

/// A fixed number of blocks of one size. Any thread may call; it must outlive its leases.
class PinnedPool {
 public:
  /// One block, the holder's alone until the lease ends; it moves, it does not copy. Whoever enqueued a copy from or to
  /// it keeps the lease until the copy is done (Event::synchronize): the next holder writes at once.
  class Lease {
   public:
    Lease(Lease&& other) noexcept : pool_(std::exchange(other.pool_, nullptr)), bytes_(other.bytes_) {}
    Lease& operator=(Lease&& other) noexcept {
      std::swap(pool_, other.pool_);
      std::swap(bytes_, other.bytes_);
      return *this;
    }
    ~Lease();

    std::span<std::byte> bytes() const { return bytes_; }

    /// As many items as fit into the block; indeterminate until written.
    template <class T>
    std::span<T> items() const {
      return {reinterpret_cast<T*>(bytes_.data()), bytes_.size() / sizeof(T)};
    }

   private:
    friend class PinnedPool;
    Lease(PinnedPool& pool, std::span<std::byte> bytes) : pool_(&pool), bytes_(bytes) {}

    PinnedPool* pool_;
    std::span<std::byte> bytes_;
  };

  /// Takes `blocks` blocks of `block_bytes` (rounded up to MemoryResource::kAlignment) from upstream, usually
  /// PinnedMemory, in one piece. Throws Error{resource_exhausted}.
  PinnedPool(MemoryResource& upstream, std::size_t block_bytes, std::size_t blocks);
  ~PinnedPool();
  PinnedPool(const PinnedPool&) = delete;
  PinnedPool& operator=(const PinnedPool&) = delete;

  /// Waits until a block is free; throws Error{cancelled} when asked to stop before.
  Lease acquire(std::stop_token stop = {});
  std::optional<Lease> try_acquire();  ///< nothing when no block is free

 private:
  Lease lend();
  void give_back(std::byte* block) noexcept;

  MemoryResource& upstream_;
  const std::size_t block_bytes_;
  const std::size_t blocks_;
  std::vector<std::byte*> free_;
  std::byte* const memory_;
  std::mutex mutex_;
  std::condition_variable_any given_back_;
};

}  // namespace cuzk::cuda
