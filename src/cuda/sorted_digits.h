/// The digits of scalars, sorted by the bucket that they belong to.
#pragma once

#include <memory>
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

/// The digits of some windows being sorted on a stream of their own: moving memory about, which a device can do while
/// another stream, of higher priority, does not keep it busy. At least one scalar.
class DigitSort {
 public:
  /// Takes all the memory that it needs at once, from the queue's, and begins when the queue's stream has done what is
  /// enqueued so far, which may still use that memory. `indices` may be empty: then item i is point i. `stream` outlives
  /// the sort, and may be the queue's.
  DigitSort(const Queue& queue, const Stream& stream, const DeviceScalars& scalars, std::span<const u32> indices,
            const Windows& windows);
  ~DigitSort();  ///< waits for the stream
  DigitSort(const DigitSort&) = delete;
  DigitSort& operator=(const DigitSort&) = delete;

  /// Once. Waits for the sort and for the queue's stream.
  SortedDigits finish();

 private:
  struct Room;
  void make_digits_of(const DeviceScalars& scalars, std::span<const u32> indices, const Windows& windows);
  void find_starts();

  const Queue& queue_;
  const Stream& stream_;
  Event sorted_;
  const u32 buckets_;
  const std::unique_ptr<Room> room_;
};

/// Where the sums of each bucket begin when its items are added in pairs, and where its items of the next round do: an
/// odd one stays an item. As many entries as the starts of the items.
struct RoundStarts {
  DeviceBuffer<u32> sums, next;
};
RoundStarts round_starts(const Queue& queue, const DeviceBuffer<u32>& starts);

}  // namespace cuzk::cuda
