/// The digits of scalars, sorted by the bucket that they belong to, and the lists of the sums that make one point of each
/// bucket: all that a multi-scalar multiplication does without arithmetic.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "cuda/device_scalars.h"
#include "cuda/queue.h"

namespace cuzk::cuda {

struct Operands;
struct RoundPlaces;
struct Windows;

/// Of some windows, made on a stream of their own: moving memory about, which a device can do while another stream, of
/// higher priority, does not keep it busy. At least one scalar.
///
/// A digit is an item of its bucket: a point, negated where the digit is. In rounds each two neighbours of a bucket
/// become one, their sum, which goes to a pool and is an item of the next round; an odd one stays.
class SumLists {
 public:
  /// Takes all the memory that it needs at once, from the queue's, and begins to sort when the queue's stream has done
  /// what is enqueued so far, which may still use that memory. `indices` may be empty: then scalar i belongs to point i
  /// of `points`, whose multiples (windows.h) lie behind them all. `stream` outlives the lists, and may be the queue's.
  SumLists(const Queue& queue, const Stream& stream, const DeviceScalars& scalars, std::span<const u32> indices,
           std::size_t points, const Windows& windows);
  ~SumLists();  ///< waits for the stream
  SumLists(const SumLists&) = delete;
  SumLists& operator=(const SumLists&) = delete;

  /// Once, before what follows: waits for the sort, which tells how many rounds there are, and enqueues the lists.
  void list_rounds();

  struct Round {
    Event listed;
    std::size_t most_sums;  ///< how many there are only the device knows
  };
  const std::vector<Round>& rounds() const { return rounds_; }
  const RoundPlaces* places(std::size_t round) const;  ///< the device's, known when the round is listed
  const Operands* pairs() const;                       ///< of all rounds, at the places of their sums

  std::size_t items() const;  ///< more than all sums together
  u32 buckets() const { return buckets_; }
  /// What is left when all rounds are listed: bucket k has item starts[k] alone if starts[k + 1] is another.
  const u32* last_items() const;
  const u64* last_starts() const;  ///< RoundStart (buckets.cuh)

 private:
  struct Room;
  void make_digits_of(const DeviceScalars& scalars, std::span<const u32> indices, std::size_t points,
                      const Windows& windows);
  void find_starts();
  void list_round(std::size_t items);

  const Stream& stream_;
  const u32 buckets_;
  const std::unique_ptr<Room> room_;
  std::vector<Round> rounds_;
};

}  // namespace cuzk::cuda
