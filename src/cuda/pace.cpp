#include "cuda/pace.h"

#include <utility>

#include "base/error.h"

namespace cuzk::cuda {

void Pace::look() const {
  if (queue_.stop.stop_requested()) throw Error(Code::cancelled, "cuda: cancelled by its caller");
}

void Pace::enqueued(std::size_t work) {
  if (!queue_.stop.stop_possible()) return;
  look();
  since_ += work;
  if (since_ >= piece_) hold();
}

void Pace::hold() {
  since_ = 0;
  Event end;
  end.record(queue_.stream);
  if (last_) last_->synchronize();
  last_ = std::move(end);
  look();
}

}  // namespace cuzk::cuda
