#include "server/await_call.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

#include "server/messages.h"
#include "server/submit_call.h"

namespace cuzk::server {

namespace {

std::chrono::system_clock::time_point after(u64 timeout_ms) {
  return std::chrono::system_clock::now() + std::chrono::milliseconds(std::min(timeout_ms, kLongestTimeout));
}

/// The earlier of the caller's own deadline and the timeout that it names; nothing where it says neither.
std::optional<engine::Clock::time_point> wanted_until(const grpc::CallbackServerContext& context, u64 timeout_ms) {
  const auto deadline = deadline_of(context);
  if (timeout_ms == 0) return deadline;
  const auto timeout = engine::Clock::now() + std::chrono::milliseconds(std::min(timeout_ms, kLongestTimeout));
  return std::min(timeout, deadline.value_or(timeout));
}

}  // namespace

// gRPC calls OnCancel and OnDone only after start() returns, so nothing of it races with them.

grpc::ServerUnaryReactor* AwaitCall::start(farm::JobDesk& desk, OpenCalls& calls,
                                           const grpc::CallbackServerContext& context, const engine::JobId& id,
                                           u64 timeout_ms, v1::AwaitProofResponse& response) {
  const std::shared_ptr<AwaitCall> call(new AwaitCall(desk, response));
  call->follow(id, wanted_until(context, timeout_ms));
  if (timeout_ms != 0) {
    // An alarm keeps its callback until its own end, which comes with the call's: the call may not be held by it.
    call->alarm_.Set(after(timeout_ms), [waiting = std::weak_ptr(call), id](bool is_over) {
      if (const auto still = waiting.lock(); is_over && still != nullptr) still->on_timeout(id);
    });
  }
  call->self_ = call;
  call->open_ = calls.enter();
  return call.get();
}

grpc::ServerUnaryReactor* AwaitCall::start(farm::JobDesk& desk, OpenCalls& calls, grpc::CallbackServerContext& context,
                                           engine::ProofRequest request, v1::AwaitProofResponse& response) {
  const std::shared_ptr<AwaitCall> call(new AwaitCall(desk, response));
  const Wanted wanted = wanted_until(context, 0);
  const auto told = [call, wanted, &context](const farm::Outcome<farm::Accepted>& accepted) {
    try {
      call->follow(accepted.value().id, wanted);
    } catch (...) {
      call->on_refused(context, std::current_exception());
    }
  };
  try {
    submit(desk, std::move(request), wanted, told);
  } catch (...) {
    call->on_refused(context, std::current_exception());
  }
  call->self_ = call;
  call->open_ = calls.enter();
  return call.get();
}

/// The desk calls back here or in another thread.
void AwaitCall::follow(const engine::JobId& id, Wanted wanted) {
  auto ticket = desk_.when_finished(
      id, wanted, [call = shared_from_this(), id](const auto& outcome) { call->on_result(id, outcome); });
  const std::lock_guard lock(mutex_);
  if (!is_done_) ticket_ = std::move(ticket);
}

void AwaitCall::on_result(const engine::JobId& id, const farm::Outcome<farm::JobDesk::Result>& outcome) {
  if (!is_first()) return;
  try {
    fill(response_, id, *outcome.value());
    Finish(grpc::Status::OK);
  } catch (...) {
    Finish(rpc_status(std::current_exception()));
  }
}

void AwaitCall::on_refused(grpc::CallbackServerContext& context, const std::exception_ptr& error) {
  if (!is_first()) return;
  try {
    std::rethrow_exception(error);
  } catch (const Error& wrong) {
    if (wrong.code() != Code::invalid_input) return Finish(refused(context, error));
    fill_failure(response_, wrong);
    Finish(grpc::Status::OK);
  } catch (...) {
    Finish(refused(context, error));
  }
}

void AwaitCall::on_timeout(const engine::JobId& id) {
  if (!is_first()) return;
  response_.set_job_id(id);
  response_.set_status(v1::AwaitProofResponse::TIMEOUT);
  response_.set_error_message("the time to wait is over; the job goes on");
  Finish(grpc::Status::OK);
}

void AwaitCall::OnCancel() {
  if (is_first()) Finish({grpc::StatusCode::CANCELLED, "the caller has gone or its deadline is over; the job goes on"});
}

void AwaitCall::OnDone() {
  alarm_.Cancel();
  {
    farm::JobDesk::Ticket ticket;  // ends without the mutex
    const std::lock_guard lock(mutex_);
    is_done_ = true;
    ticket = std::move(ticket_);
  }
  open_.reset();
  const auto last = std::move(self_);
}

}  // namespace cuzk::server
