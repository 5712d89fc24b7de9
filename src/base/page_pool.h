/// Memory of large arrays that outlives them: whole huge pages, kept for the next array of about the same size. A page
/// that the process had before costs nothing; a new one has to be cleared by the kernel and, in a virtual machine, found
/// by its host first: seconds for a gigabyte.
#pragma once

#include <mutex>
#include <vector>

#include "base/memory_ledger.h"
#include "base/types.h"

namespace cuzk {

/// Any thread may call.
class PagePool {
 public:
  /// Keeps nothing until keep() is called.
  PagePool() = default;
  PagePool(const PagePool&) = delete;
  PagePool& operator=(const PagePool&) = delete;
  ~PagePool() { release(); }

  /// The pool of the process: of every Buffer of 2 MiB or more. It is never destroyed.
  static PagePool& shared();

  /// From now on keeps at most so many bytes. With a ledger, which must outlive the pool or the next call, they are
  /// reserved in its account "kept pages", and what its budget does not allow is not kept.
  void keep(u64 most, MemoryLedger* ledger = nullptr);

  /// Gives all that is kept to the system. Returns its bytes.
  u64 release() noexcept;

  /// Memory of at least so many bytes, aligned to huge pages, its content indeterminate: what is kept if it fits, at most
  /// a quarter larger, else new; null where there is no memory, not even when nothing is kept any more.
  void* take(std::size_t bytes);

  /// Keeps what take(bytes) returned; the oldest goes to the system where it would be too much.
  void give(void* memory, std::size_t bytes) noexcept;

 private:
  struct Block {
    u8* memory;
    std::size_t length;
  };

  void* take_kept(std::size_t length);
  bool admit(const Block& block) noexcept;
  void drop_oldest() noexcept;

  std::mutex mutex_;           // guards everything below
  std::vector<Block> blocks_;  // the oldest first
  u64 most_ = 0, kept_ = 0;
  MemoryLedger* ledger_ = nullptr;
  MemoryLedger::Reservation reservation_;  // of kept_ bytes where there is a ledger
};

}  // namespace cuzk
