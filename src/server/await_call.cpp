#include "server/await_call.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

#include "server/messages.h"

namespace cuzk::server {

namespace {

/// Longer than any caller waits; beyond it clocks overflow.
constexpr u64 kLongestTimeout = u64{1000} * 60 * 60 * 24 * 365;

std::chrono::system_clock::time_point after(u64 timeout_ms) {
  return std::chrono::system_clock::now() + std::chrono::milliseconds(std::min(timeout_ms, kLongestTimeout));
}

/// Nothing where nobody says.
std::optional<engine::Clock::time_point> wanted_until(const grpc::CallbackServerContext& context, u64 timeout_ms) {
  const auto now = std::chrono::system_clock::now();
  auto left = context.deadline() - now;
  if (timeout_ms != 0) left = std::min<std::chrono::nanoseconds>(left, after(timeout_ms) - now);
  if (left >= std::chrono::milliseconds(kLongestTimeout)) return std::nullopt;
  return engine::Clock::now() + left;
}

}  // namespace

grpc::ServerUnaryReactor* AwaitCall::start(engine::Engine& engine, OpenCalls& calls,
                                           const grpc::CallbackServerContext& context, const engine::JobId& id,
                                           u64 timeout_ms, v1::AwaitProofResponse& response) {
  const std::shared_ptr<AwaitCall> call(new AwaitCall(id, response));
  call->subscription_ = engine.when_finished(
      id, [call](const engine::Engine::Result& result) { call->on_result(*result); },
      wanted_until(context, timeout_ms));
  if (timeout_ms != 0) {
    call->alarm_.Set(after(timeout_ms), [call](bool is_over) {
      if (is_over) call->on_timeout();
    });
  }
  // gRPC calls OnCancel and OnDone only after this returns, so nothing of the above races with them.
  call->self_ = call;
  call->open_ = calls.enter();
  return call.get();
}

void AwaitCall::on_result(const engine::JobResult& result) {
  if (!is_first()) return;
  fill(response_, id_, result);
  Finish(grpc::Status::OK);
}

void AwaitCall::on_timeout() {
  if (!is_first()) return;
  response_.set_job_id(id_);
  response_.set_status(v1::AwaitProofResponse::TIMEOUT);
  response_.set_error_message("the time to wait is over; the job goes on");
  Finish(grpc::Status::OK);
}

void AwaitCall::OnCancel() {
  if (is_first()) Finish({grpc::StatusCode::CANCELLED, "the caller has gone or its deadline is over; the job goes on"});
}

void AwaitCall::OnDone() {
  alarm_.Cancel();
  subscription_ = {};
  open_.reset();
  const auto last = std::move(self_);
}

}  // namespace cuzk::server
