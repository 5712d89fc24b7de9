/// Requests that come at times of their own, whether or not the daemon keeps up: what a provider's miners do. A client that
/// waits for its answer before it asks again asks less of a slow daemon, and hides how long others would have waited.
#pragma once

#include <memory>
#include <vector>

#include "load_state.h"

namespace cuzk::apps {

/// The times between the arrivals of a plan: exponential, or all the same. The same seed gives the same times.
class ArrivalTimes {
 public:
  explicit ArrivalTimes(const LoadPlan::Arrivals& arrivals) : arrivals_(arrivals), state_(arrivals.seed) {}

  /// From the arrival before to the next.
  Clock::duration next();

 private:
  const LoadPlan::Arrivals arrivals_;
  u64 state_;
};

/// Sends plan.total requests at the times of plan.arrivals, over the channels in turn, and waits for all answers. Times of
/// answers count from when a request was due, not from when it was sent. Stops sending when plan.most_unanswered wait.
void run_open_loop(LoadState& state, const std::vector<std::shared_ptr<grpc::Channel>>& channels);

}  // namespace cuzk::apps
