/// A call that waits for a job: it answers when the job has ended, its time is over or its caller has gone, whichever is
/// first. No thread waits for it.
#pragma once

#include <grpcpp/alarm.h>
#include <grpcpp/server_context.h>
#include <grpcpp/support/server_callback.h>

#include <atomic>
#include <memory>

#include "cuzk/v1/proving.pb.h"
#include "engine/engine.h"
#include "server/open_calls.h"

namespace cuzk::server {

class AwaitCall final : public grpc::ServerUnaryReactor {
 public:
  /// `response` lives until the call is done. timeout_ms 0: as long as the call lasts; that and the call's own deadline
  /// say until when the job is wanted. Throws Error{not_found}.
  static grpc::ServerUnaryReactor* start(engine::Engine& engine, OpenCalls& calls,
                                         const grpc::CallbackServerContext& context, const engine::JobId& id,
                                         u64 timeout_ms, v1::AwaitProofResponse& response);

 private:
  AwaitCall(engine::JobId id, v1::AwaitProofResponse& response) : id_(std::move(id)), response_(response) {}

  void on_result(const engine::JobResult& result);
  void on_timeout();
  void OnCancel() override;
  void OnDone() override;

  /// True for the first of several events only.
  bool is_first() { return !answered_.exchange(true); }

  const engine::JobId id_;
  v1::AwaitProofResponse& response_;
  std::atomic<bool> answered_ = false;
  engine::Engine::Subscription subscription_;
  grpc::Alarm alarm_;
  std::shared_ptr<AwaitCall> self_;  // until gRPC is done with it; callbacks hold references of their own
  OpenCalls::Ticket open_;           // until the answer is out
};

}  // namespace cuzk::server
