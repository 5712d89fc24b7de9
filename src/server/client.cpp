#include "server/client.h"

#include <grpcpp/grpcpp.h>

#include "base/error.h"
#include "server/address.h"

namespace cuzk::server {

namespace {

std::string one_address(const std::string& text) {
  const auto addresses = parse_addresses(text);
  if (addresses.size() != 1) throw invalid_input("address '{}': expected one", text);
  return addresses.front();
}

Code code_of(grpc::StatusCode code) {
  switch (code) {
    case grpc::StatusCode::INVALID_ARGUMENT: return Code::invalid_input;
    case grpc::StatusCode::NOT_FOUND: return Code::not_found;
    case grpc::StatusCode::RESOURCE_EXHAUSTED: return Code::resource_exhausted;
    case grpc::StatusCode::CANCELLED: return Code::cancelled;
    case grpc::StatusCode::DEADLINE_EXCEEDED: return Code::deadline;
    case grpc::StatusCode::UNAVAILABLE:
    case grpc::StatusCode::UNAUTHENTICATED:
    case grpc::StatusCode::UNIMPLEMENTED: return Code::unavailable;
    default: return Code::internal;
  }
}

}  // namespace

Client::Client(const Connection& connection)
    : address_(one_address(connection.address)), stub_(v1::ProvingEngine::NewStub(open_channel(connection))) {}

template <class Request, class Response>
Response Client::call(grpc::Status (Stub::*method)(grpc::ClientContext*, const Request&, Response*),
                      const Request& request, Timeout timeout) {
  grpc::ClientContext context;
  if (timeout) context.set_deadline(std::chrono::system_clock::now() + *timeout);
  Response response;
  const grpc::Status status = (stub_.get()->*method)(&context, request, &response);
  if (status.ok()) return response;
  throw error_of(status);
}

Error Client::error_of(const grpc::Status& status) const {
  return Error(code_of(status.error_code()), fmt::format("daemon at {}: {}", address_, status.error_message()));
}

v1::AwaitProofResponse Client::prove(const v1::SubmitProofRequest& request, Timeout timeout) {
  v1::ProveRequest message;
  *message.mutable_submit() = request;
  return call(&Stub::Prove, message, timeout).result();
}

v1::SubmitProofResponse Client::submit(const v1::SubmitProofRequest& request) {
  return call(&Stub::SubmitProof, request);
}

v1::AwaitProofResponse Client::await(const std::string& job_id, u64 timeout_ms, Timeout timeout) {
  v1::AwaitProofRequest request;
  request.set_job_id(job_id);
  request.set_timeout_ms(timeout_ms);
  return call(&Stub::AwaitProof, request, timeout);
}

v1::CancelProofResponse Client::cancel(const std::string& job_id) {
  v1::CancelProofRequest request;
  request.set_job_id(job_id);
  return call(&Stub::CancelProof, request);
}

v1::GetStatusResponse Client::status() { return call(&Stub::GetStatus, v1::GetStatusRequest{}); }

std::string Client::metrics() { return call(&Stub::GetMetrics, v1::GetMetricsRequest{}).prometheus_text(); }

v1::PreloadSrsResponse Client::preload(const std::string& circuit_id) {
  v1::PreloadSrsRequest request;
  request.set_circuit_id(circuit_id);
  return call(&Stub::PreloadSRS, request);
}

v1::EvictSrsResponse Client::evict(const std::string& circuit_id) {
  v1::EvictSrsRequest request;
  request.set_circuit_id(circuit_id);
  return call(&Stub::EvictSRS, request);
}

v1::JobStatus Client::watch(const std::string& job_id, const std::function<bool(const v1::JobStatus&)>& on_change) {
  v1::WatchProofRequest request;
  request.set_job_id(job_id);
  grpc::ClientContext context;
  const auto reader = stub_->WatchProof(&context, request);
  v1::JobStatus status;
  bool goes_on = true;
  while (goes_on && reader->Read(&status)) goes_on = on_change(status);
  if (!goes_on) context.TryCancel();
  const grpc::Status end = reader->Finish();
  if (goes_on && !end.ok()) throw error_of(end);
  return status;
}

v1::ListJobsResponse Client::jobs(bool include_finished, u32 limit) {
  v1::ListJobsRequest request;
  request.set_include_finished(include_finished);
  request.set_limit(limit);
  return call(&Stub::ListJobs, request);
}

v1::DrainResponse Client::drain() { return call(&Stub::Drain, v1::DrainRequest{}); }

v1::DrainResponse Client::resume() {
  v1::DrainRequest request;
  request.set_resume(true);
  return call(&Stub::Drain, request);
}

std::string Client::trace(const std::string& job_id) {
  v1::GetTraceRequest request;
  request.set_job_id(job_id);
  return call(&Stub::GetTrace, request).chrome_trace_json();
}

}  // namespace cuzk::server
