/// A call that tells what a job does until it has ended: a message at once, one at each change that is looked for a few
/// times a second, and one of the final state. No thread waits for it.
#pragma once

#include <grpcpp/alarm.h>
#include <grpcpp/support/server_callback.h>

#include <memory>
#include <mutex>
#include <string>

#include "cuzk/v1/proving.pb.h"
#include "farm/job_desk.h"
#include "server/open_calls.h"

namespace cuzk::server {

class WatchCall final : public grpc::ServerWriteReactor<v1::JobStatus>, public std::enable_shared_from_this<WatchCall> {
 public:
  /// A job that is not known is the stream's end.
  static grpc::ServerWriteReactor<v1::JobStatus>* start(farm::JobDesk& desk, OpenCalls& calls, const engine::JobId& id);

 private:
  enum class Phase { looking, writing, over };

  WatchCall(farm::JobDesk& desk, engine::JobId id) : desk_(desk), id_(std::move(id)) {}

  void look();
  void show(const farm::Outcome<engine::JobView>& view);
  void look_later();
  void send(v1::JobStatus status);
  void finish(const grpc::Status& status);
  void OnWriteDone(bool ok) override;
  void OnCancel() override;
  void OnDone() override;

  farm::JobDesk& desk_;
  const engine::JobId id_;
  std::mutex mutex_;  // guards the phase and what was told
  Phase phase_ = Phase::looking;
  v1::JobStatus told_;  // lives until its writing is done
  std::string fingerprint_;
  grpc::Alarm alarm_;
  std::shared_ptr<WatchCall> self_;  // until gRPC is done with it; the desk's callbacks hold references of their own
  OpenCalls::Ticket open_;           // until the last message is out
};

}  // namespace cuzk::server
