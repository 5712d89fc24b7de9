/// A call that takes a job and answers when a crash cannot lose the job: an answer that a crash could make a lie is none.
#pragma once

#include <grpcpp/server_context.h>
#include <grpcpp/support/server_callback.h>

#include <optional>

#include "cuzk/v1/proving.pb.h"
#include "farm/job_desk.h"

namespace cuzk::server {

/// Longer than any caller waits, in ms; beyond it clocks overflow.
inline constexpr u64 kLongestTimeout = u64{1000} * 60 * 60 * 24 * 365;

/// The deadline of a call; nothing where it has none.
std::optional<engine::Clock::time_point> deadline_of(const grpc::CallbackServerContext& context);

/// The status of what went wrong. A client may wait as long as the metadata says: gRPC's own retries do.
grpc::Status refused(grpc::CallbackServerContext& context, const std::exception_ptr& error);

/// Gives `request` to the desk.
grpc::ServerUnaryReactor* submit_call(farm::JobDesk& desk, grpc::CallbackServerContext& context,
                                      engine::ProofRequest request, v1::SubmitProofResponse& response);

/// The same as desk.submit; what came of it is in the log.
void submit(farm::JobDesk& desk, engine::ProofRequest request, std::optional<engine::Clock::time_point> wanted,
            farm::Told<farm::Accepted> told);

}  // namespace cuzk::server
