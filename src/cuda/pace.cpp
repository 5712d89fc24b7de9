#include "cuda/pace.h"

#include <utility>

#include "base/error.h"

namespace cuzk::cuda {

void Pace::enqueued(std::size_t work) {
  if (!queue_.stop.stop_possible()) return;
  if (queue_.stop.stop_requested()) throw Error(Code::cancelled, "cuda: cancelled by its caller");
  since_ += work;
  if (since_ >= piece_) hold();
}

void Pace::hold() {
  since_ = 0;
  Event end;
  end.record(queue_.stream);
  if (last_) last_->synchronize();
  last_ = std::move(end);
  if (queue_.stop.stop_requested()) throw Error(Code::cancelled, "cuda: cancelled by its caller");
}

}  // namespace cuzk::cuda
