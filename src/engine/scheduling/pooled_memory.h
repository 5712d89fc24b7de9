/// A budget of bytes of which a part is for urgent jobs alone.
#pragma once

#include <array>

#include "base/error.h"
#include "base/types.h"

namespace cuzk::engine {

enum class Pool : u8 { ordinary, urgent };

class PooledMemory {
 public:
  PooledMemory(u64 total, u64 urgent) : limits_{total - urgent, urgent} {}

  u64 limit(Pool pool) const { return limits_[static_cast<std::size_t>(pool)]; }
  u64 used(Pool pool) const { return used_[static_cast<std::size_t>(pool)]; }
  u64 available(Pool pool) const { return limit(pool) - used(pool); }
  u64 used() const { return used(Pool::ordinary) + used(Pool::urgent); }

  /// Throws Error{internal} above the limit: whoever takes has asked before.
  void take(Pool pool, u64 bytes) {
    if (bytes > available(pool)) throw internal_error("scheduler: {} bytes taken of {}", bytes, available(pool));
    used_[static_cast<std::size_t>(pool)] += bytes;
  }

  void give(Pool pool, u64 bytes) {
    if (bytes > used(pool)) throw internal_error("scheduler: {} bytes given back of {}", bytes, used(pool));
    used_[static_cast<std::size_t>(pool)] -= bytes;
  }

 private:
  std::array<u64, 2> limits_;
  std::array<u64, 2> used_{};
};

}  // namespace cuzk::engine
