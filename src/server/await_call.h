/// A call that waits for a job: it answers when the job has ended, its time is over or its caller has gone, whichever is
/// first. No thread waits for it.
#pragma once

#include <grpcpp/alarm.h>
#include <grpcpp/server_context.h>
#include <grpcpp/support/server_callback.h>

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>

#include "cuzk/v1/proving.pb.h"
#include "farm/job_desk.h"
#include "server/open_calls.h"

namespace cuzk::server {

class AwaitCall final : public grpc::ServerUnaryReactor, public std::enable_shared_from_this<AwaitCall> {
 public:
  /// `response` lives until the call is done. timeout_ms 0: as long as the call lasts; that and the call's own deadline
  /// say until when the job is wanted. Throws Error{not_found}.
  static grpc::ServerUnaryReactor* start(farm::JobDesk& desk, OpenCalls& calls,
                                         const grpc::CallbackServerContext& context, const engine::JobId& id,
                                         u64 timeout_ms, v1::AwaitProofResponse& response);

  /// The same for a job that is submitted now. An input that is wrong is an answer with status FAILED.
  static grpc::ServerUnaryReactor* start(farm::JobDesk& desk, OpenCalls& calls, grpc::CallbackServerContext& context,
                                         engine::ProofRequest request, v1::AwaitProofResponse& response);

 private:
  using Wanted = std::optional<engine::Clock::time_point>;

  AwaitCall(farm::JobDesk& desk, v1::AwaitProofResponse& response) : desk_(desk), response_(response) {}

  void follow(const engine::JobId& id, Wanted wanted);
  void on_result(const engine::JobId& id, const farm::Outcome<farm::JobDesk::Result>& outcome);
  void on_refused(grpc::CallbackServerContext& context, const std::exception_ptr& error);
  void on_timeout(const engine::JobId& id);
  void OnCancel() override;
  void OnDone() override;

  /// True for the first of several events only.
  bool is_first() { return !answered_.exchange(true); }

  farm::JobDesk& desk_;
  v1::AwaitProofResponse& response_;
  std::atomic<bool> answered_ = false;
  std::mutex mutex_;  // guards the ticket: a job's id may come when the caller has gone
  bool is_done_ = false;
  farm::JobDesk::Ticket ticket_;
  grpc::Alarm alarm_;
  std::shared_ptr<AwaitCall> self_;  // until gRPC is done with it; the desk's callbacks hold references of their own
  OpenCalls::Ticket open_;           // until the answer is out
};

}  // namespace cuzk::server
