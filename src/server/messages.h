/// From messages of the wire to the engine's types and back.
#pragma once

#include <grpcpp/support/status.h>

#include <chrono>
#include <exception>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "cuzk/v1/proving.pb.h"
#include "engine/engine.h"
#include "keys/key_store.h"

namespace cuzk::server {

/// What a client sends, with the kind's own priority. Takes the bytes out of the input instead of copying them.
v1::SubmitProofRequest request_message(engine::ProofInput&& input, const std::string& request_id);

/// Takes the bytes out of the message instead of copying them. Throws Error{invalid_input} for a kind or a priority that
/// does not exist.
engine::ProofRequest take_request(v1::SubmitProofRequest&& message);

void fill(v1::AwaitProofResponse& message, const engine::JobId& id, const engine::JobResult& result);

/// A request that came to nothing before it was a job.
void fill_failure(v1::AwaitProofResponse& message, const Error& error);

/// Keys on devices are hot, the others as `files` says.
v1::GetStatusResponse status_message(const engine::EngineSnapshot& snapshot,
                                     const std::vector<keys::KeyFileStatus>& files);

/// What a job does, for those who watch.
v1::JobStatus status_message(const engine::JobView& job);

/// How long whoever asked should wait before they ask again; nothing where that is of no use.
std::optional<std::chrono::milliseconds> retry_after(const std::exception_ptr& error);

/// The status of an RPC that could not do its work.
grpc::Status rpc_status(const Error& error);
grpc::Status rpc_status(const std::exception_ptr& error);

}  // namespace cuzk::server
