/// Keeps the host so little ahead of the device that a queue's stop is seen soon.
#pragma once

#include <optional>

#include "cuda/queue.h"

namespace cuzk::cuda {

/// Work that is enqueued already cannot be taken back. So whoever enqueues long work tells how much, and is held up
/// until all but the last piece of it is done: the device always has the last piece and the next to go on with.
class Pace {
 public:
  /// A piece is so much work, in whatever unit the caller counts; some 20 ms of the device cost nothing that can be
  /// measured. The queue outlives the pace.
  Pace(const Queue& queue, std::size_t piece) : queue_(queue), piece_(piece) {}

  /// To be called when so much work was enqueued. Throws Error{cancelled} when the queue is to stop; waits only where
  /// somebody could ask it to.
  void enqueued(std::size_t work);

 private:
  void look() const;
  void hold();

  const Queue& queue_;
  const std::size_t piece_;
  std::size_t since_ = 0;      ///< the last piece
  std::optional<Event> last_;  ///< the end of the last piece
};

}  // namespace cuzk::cuda
