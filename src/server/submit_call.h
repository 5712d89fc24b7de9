/// A call that takes a job and answers when the job is on the disk: an answer that a crash could make a lie is none.
#pragma once

#include <grpcpp/server_context.h>
#include <grpcpp/support/server_callback.h>

#include <atomic>
#include <exception>
#include <memory>

#include "cuzk/v1/proving.pb.h"
#include "engine/engine.h"

namespace cuzk::server {

class SubmitCall {
 public:
  /// `submit` gives the job to the engine with the function that it is given; it may throw, and nothing is answered then.
  template <class Submit>
  static grpc::ServerUnaryReactor* start(grpc::CallbackServerContext& context, v1::SubmitProofResponse& response,
                                         Submit&& submit) {
    const auto call = std::make_shared<SubmitCall>();
    const engine::Engine::Accepted accepted = submit([call](std::exception_ptr error) {
      call->error_ = std::move(error);
      call->arrive();
    });
    response.set_job_id(accepted.id);
    response.set_queue_position(static_cast<u32>(accepted.queue_position));
    auto* const reactor = context.DefaultReactor();
    call->reactor_ = reactor;
    call->arrive();
    return reactor;
  }

 private:
  /// The response is filled in, or the job is on the disk: whichever is last answers.
  void arrive();

  grpc::ServerUnaryReactor* reactor_ = nullptr;  // there at the second arrival
  std::exception_ptr error_;
  std::atomic<int> missing_ = 2;
};

}  // namespace cuzk::server
