#include "open_loop.h"

#include <grpcpp/grpcpp.h>

#include <cmath>
#include <condition_variable>
#include <thread>
#include <utility>

#include "cuzk/v1/proving.grpc.pb.h"

namespace cuzk::apps {
namespace {

/// How many calls have no answer yet.
class Unanswered {
 public:
  /// False when there are too many.
  bool add(std::size_t most) {
    const std::lock_guard lock(mutex_);
    if (count_ >= most) return false;
    ++count_;
    return true;
  }
  void remove() {
    const std::lock_guard lock(mutex_);
    if (--count_ == 0) none_.notify_all();
  }
  void wait_for_none() {
    std::unique_lock lock(mutex_);
    none_.wait(lock, [&] { return count_ == 0; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable none_;
  std::size_t count_ = 0;
};

/// One call; what it waits for keeps it alive.
class OpenCall : public std::enable_shared_from_this<OpenCall> {
 public:
  OpenCall(LoadState& state, std::shared_ptr<Unanswered> unanswered, Clock::time_point due)
      : state_(state), unanswered_(std::move(unanswered)), due_(due) {}

  void send(v1::ProvingEngine::Stub& stub, std::size_t number) {
    request_ = state_.request_of(number);
    *message_.mutable_submit() = state_.plan.requests[request_];
    message_.mutable_submit()->set_request_id(state_.request_id(number));
    stub.async()->Prove(&context_, &message_, &answer_, [self = shared_from_this()](const grpc::Status& status) {
      self->state_.end(self->request_, status, self->answer_.result(), ms_since(self->due_));
      self->unanswered_->remove();
    });
  }

 private:
  LoadState& state_;
  const std::shared_ptr<Unanswered> unanswered_;
  const Clock::time_point due_;
  grpc::ClientContext context_;
  v1::ProveRequest message_;
  v1::ProveResponse answer_;
  std::size_t request_ = 0;
};

}  // namespace

Clock::duration ArrivalTimes::next() {
  std::chrono::duration<double> time(1 / arrivals_.rate);
  if (arrivals_.pattern == LoadPlan::Arrivals::Pattern::poisson) {
    state_ += 0x9e3779b97f4a7c15;  // splitmix64
    u64 mixed = (state_ ^ (state_ >> 30)) * 0xbf58476d1ce4e5b9;
    mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111eb;
    const double uniform = static_cast<double>((mixed ^ (mixed >> 31)) >> 11) * 0x1p-53;  // in [0, 1)
    time *= -std::log1p(-uniform);
  }
  return std::chrono::duration_cast<Clock::duration>(time);
}

void run_open_loop(LoadState& state, const std::vector<std::shared_ptr<grpc::Channel>>& channels) {
  std::vector<std::unique_ptr<v1::ProvingEngine::Stub>> stubs;
  stubs.reserve(channels.size());
  for (const auto& channel : channels) stubs.push_back(v1::ProvingEngine::NewStub(channel));
  ArrivalTimes times(*state.plan.arrivals);
  const auto unanswered = std::make_shared<Unanswered>();
  Clock::time_point due = Clock::now();
  while (const auto number = state.next()) {
    due += times.next();
    std::this_thread::sleep_until(due);
    if (!unanswered->add(state.plan.most_unanswered)) break;
    std::make_shared<OpenCall>(state, unanswered, due)->send(*stubs[*number % stubs.size()], *number);
  }
  unanswered->wait_for_none();
}

}  // namespace cuzk::apps
