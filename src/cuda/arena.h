/// One block of memory, reserved once and shared out on the host, so that a proof never waits for cudaMalloc.
///
/// Best fit: the smallest free block that is large enough gives its beginning; a block given back joins its free
/// neighbours at once. Blocks are few (a proof holds some dozens at a time), so a walk over all of them is cheaper than
/// an index, and giving back never needs memory.
#pragma once

#include <map>
#include <mutex>
#include <vector>

#include "cuda/memory_resource.h"
#include "cuda/memory_use.h"

namespace cuzk::cuda {

class Arena final : public MemoryResource {
 public:
  /// All in bytes, at one moment.
  struct Usage {
    std::size_t capacity = 0;
    std::size_t in_use = 0;
    std::size_t peak = 0;          ///< the most that was in use since the start or the last reset_peak()
    std::size_t largest_free = 0;  ///< what one allocation can still have
  };

  /// Takes `capacity` bytes (rounded up to kAlignment) from upstream and keeps them to its end. Throws
  /// Error{resource_exhausted} when upstream does.
  Arena(MemoryResource& upstream, std::size_t capacity);
  /// Everything must have been given back: what was not is logged as an error, and its memory is gone.
  ~Arena() override;

  Usage usage() const;

  /// What lies where, from its beginning to its end: what each block was taken for (memory_use.h).
  std::vector<groth16::MemoryRegion::Block> blocks() const;
  void reset_peak();  ///< to what is in use now: for the peak of one stage

 private:
  struct Block {
    std::size_t bytes;
    MemoryUse use;  // free, or what it was taken for

    bool is_free() const { return use == MemoryUse::free; }
  };
  using Blocks = std::map<std::size_t, Block>;  // by offset; together they are the whole arena

  /// Throws Error{resource_exhausted} naming what was asked, what is free and the largest free block.
  void* take(std::size_t bytes) override;
  void give_back(void* memory, std::size_t bytes) noexcept override;
  Blocks::iterator best_fit(std::size_t bytes);
  void split(Blocks::iterator block, std::size_t bytes);
  void join_with_next(Blocks::iterator block) noexcept;
  std::size_t largest_free() const;

  MemoryResource& upstream_;
  const std::size_t capacity_;
  Blocks blocks_;
  u8* const memory_;
  mutable std::mutex mutex_;
  std::size_t in_use_ = 0;
  std::size_t peak_ = 0;
};

}  // namespace cuzk::cuda
