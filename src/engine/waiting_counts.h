/// How many jobs wait, by kind and priority.
#pragma once

#include <array>
#include <cstddef>

#include "engine/request.h"

namespace cuzk::engine {

class WaitingCounts {
 public:
  void add(Kind kind, Priority priority) { ++of(kind, priority); }
  void remove(Kind kind, Priority priority) { --of(kind, priority); }

  u32 count(Kind kind, Priority priority) const {
    return counts_[static_cast<std::size_t>(kind)][static_cast<std::size_t>(priority)];
  }

  /// Of all kinds, of that priority and above.
  std::size_t at_least(Priority priority) const {
    std::size_t sum = 0;
    for (const auto& kind : counts_)
      for (auto i = static_cast<std::size_t>(priority); i < kind.size(); ++i) sum += kind[i];
    return sum;
  }

 private:
  u32& of(Kind kind, Priority priority) {
    return counts_[static_cast<std::size_t>(kind)][static_cast<std::size_t>(priority)];
  }

  std::array<std::array<u32, 4>, kKinds.size()> counts_{};
};

}  // namespace cuzk::engine
