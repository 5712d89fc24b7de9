#include "server/watch_call.h"

#include <chrono>
#include <utility>

#include "server/messages.h"

namespace cuzk::server {

namespace {

bool is_final(v1::JobState state) { return state >= v1::JOB_COMPLETED; }

/// What makes a message worth sending: all of it but the times, which change always.
std::string fingerprint(v1::JobStatus status) {
  status.clear_queued_ms();
  status.clear_running_ms();
  return status.SerializeAsString();
}

}  // namespace

grpc::ServerWriteReactor<v1::JobStatus>* WatchCall::start(farm::JobDesk& desk, OpenCalls& calls,
                                                          const engine::JobId& id) {
  const std::shared_ptr<WatchCall> call(new WatchCall(desk, id));
  call->self_ = call;
  call->open_ = calls.enter();
  call->look();
  return call.get();
}

void WatchCall::look() {
  const auto call = shared_from_this();
  try {
    desk_.view(id_, [call](const farm::Outcome<engine::JobView>& view) { call->show(view); });
  } catch (...) {  // not known, or forgotten meanwhile
    finish(rpc_status(std::current_exception()));
  }
}

void WatchCall::show(const farm::Outcome<engine::JobView>& view) {
  v1::JobStatus now;
  try {
    now = status_message(view.value());
  } catch (...) {
    return finish(rpc_status(std::current_exception()));
  }
  const std::lock_guard lock(mutex_);
  if (phase_ != Phase::looking) return;
  if (std::string print = fingerprint(now); print != fingerprint_) {
    fingerprint_ = std::move(print);
    send(std::move(now));
  } else {
    look_later();
  }
}

/// Under the mutex.
void WatchCall::send(v1::JobStatus status) {
  phase_ = Phase::writing;
  told_ = std::move(status);
  StartWrite(&told_);
}

/// Under the mutex.
void WatchCall::look_later() {
  phase_ = Phase::looking;
  // Not held by the alarm, which keeps its callback until its own end: that comes with the call's.
  alarm_.Set(std::chrono::system_clock::now() + desk_.between_views(id_), [waiting = weak_from_this()](bool is_time) {
    if (const auto still = waiting.lock(); is_time && still != nullptr) still->look();
  });
}

void WatchCall::OnWriteDone(bool ok) {
  {
    const std::lock_guard lock(mutex_);
    if (phase_ == Phase::over) return;
    if (ok && !is_final(told_.state())) return look_later();
  }
  finish(ok ? grpc::Status::OK : grpc::Status(grpc::StatusCode::CANCELLED, "the caller has gone"));
}

void WatchCall::OnCancel() { finish({grpc::StatusCode::CANCELLED, "the caller has gone; the job goes on"}); }

void WatchCall::finish(const grpc::Status& status) {
  {
    const std::lock_guard lock(mutex_);
    if (std::exchange(phase_, Phase::over) == Phase::over) return;
  }
  Finish(status);
}

void WatchCall::OnDone() {
  alarm_.Cancel();
  open_.reset();
  const auto last = std::move(self_);
}

}  // namespace cuzk::server
