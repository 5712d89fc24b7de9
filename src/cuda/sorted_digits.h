/// The digits of scalars, sorted by the bucket that they belong to.
#pragma once

#include <span>

#include "cuda/device_buffer.h"
#include "cuda/device_scalars.h"
#include "cuda/queue.h"

namespace cuzk::cuda {

struct Windows;

/// The items of all buckets side by side: item i goes to bucket keys[i] and is the point entries[i], negated if its
/// highest bit is set. Bucket k has the items starts[k] .. starts[k + 1]; the last of buckets + 1 starts is the end of
/// them all, and what lies beyond has digit 0.
struct SortedDigits {
  DeviceBuffer<u32> keys, entries, starts;
  u32 buckets;
  u32 largest;  ///< items of the fullest bucket
};

/// `indices` may be empty: then item i is point i. At least one scalar. Waits for the device.
SortedDigits sort_digits(const Queue& queue, const DeviceScalars& scalars, std::span<const u32> indices,
                         const Windows& windows);

/// Where the sums of each bucket begin when its items are added in pairs, and where its items of the next round do: an
/// odd one stays an item. As many entries as the starts of the items.
struct RoundStarts {
  DeviceBuffer<u32> sums, next;
};
RoundStarts round_starts(const Queue& queue, const DeviceBuffer<u32>& starts);

}  // namespace cuzk::cuda
