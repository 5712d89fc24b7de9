/// The other end of the wire, for the command line and for tests.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "base/error.h"
#include "base/types.h"
#include "cuzk/v1/proving.grpc.pb.h"
#include "server/channel.h"

namespace cuzk::server {

/// Connects at its first call. Every function throws Error with the call's status as code and message, naming the
/// address where nobody answers. Threads: any may call any function.
class Client {
 public:
  /// Throws as open_channel.
  explicit Client(const Connection& connection);

  /// "unix:///path" or "host:port", without TLS. Throws Error{invalid_input}.
  explicit Client(const std::string& address) : Client(Connection{address, {}, {}, {}, {}}) {}

  using Timeout = std::optional<std::chrono::milliseconds>;

  /// Without a timeout it waits as long as the job takes.
  v1::AwaitProofResponse prove(const v1::SubmitProofRequest& request, Timeout timeout = std::nullopt);
  v1::SubmitProofResponse submit(const v1::SubmitProofRequest& request);

  /// timeout_ms 0: as long as the job takes.
  v1::AwaitProofResponse await(const std::string& job_id, u64 timeout_ms = 0, Timeout timeout = std::nullopt);
  v1::CancelProofResponse cancel(const std::string& job_id);
  v1::GetStatusResponse status();
  std::string metrics();
  v1::PreloadSrsResponse preload(const std::string& circuit_id);
  v1::EvictSrsResponse evict(const std::string& circuit_id);

  /// Calls `on_change` with what the job does, in this thread, until it has ended or `on_change` gives false. Returns
  /// the last that was told.
  v1::JobStatus watch(const std::string& job_id, const std::function<bool(const v1::JobStatus&)>& on_change);
  v1::ListJobsResponse jobs(bool include_finished, u32 limit = 0);
  v1::DrainResponse drain();
  v1::DrainResponse resume();

  /// A job's stages in Chrome's trace format.
  std::string trace(const std::string& job_id);

 private:
  using Stub = v1::ProvingEngine::Stub;

  template <class Request, class Response>
  Response call(grpc::Status (Stub::*method)(grpc::ClientContext*, const Request&, Response*), const Request& request,
                Timeout timeout = std::nullopt);

  Error error_of(const grpc::Status& status) const;

  std::string address_;
  std::unique_ptr<Stub> stub_;
};

}  // namespace cuzk::server
