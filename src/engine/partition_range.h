/// Some of a request's partitions.
#pragma once

#include "base/types.h"

namespace cuzk::engine {

/// From `first` on, `count` of them. Whoever proves them makes sure that there are `of`: else the parts would not be the
/// whole.
struct PartitionRange {
  u32 first = 0, count = 0, of = 0;

  friend bool operator==(const PartitionRange&, const PartitionRange&) = default;
};

}  // namespace cuzk::engine
