#include "server/messages.h"

#include <algorithm>
#include <new>
#include <string>
#include <utility>

#include "engine/queue_full.h"
#include "server/device_names.h"

namespace cuzk::server {

using engine::JobState;
using engine::Kind;
using engine::Priority;

namespace {

Kind kind_of(v1::ProofKind kind) {
  switch (kind) {
    case v1::POREP_SEAL_COMMIT: return Kind::porep;
    case v1::SNAP_DEALS_UPDATE: return Kind::snap;
    case v1::WINDOW_POST_PARTITION: return Kind::window_post;
    case v1::WINNING_POST: return Kind::winning_post;
    default: throw invalid_input("proof_kind is {}, expected 1 to 4", static_cast<int>(kind));
  }
}

Priority priority_of(v1::Priority priority, Kind kind) {
  switch (priority) {
    case v1::PRIORITY_UNSPECIFIED: return engine::default_priority(kind);
    case v1::LOW: return Priority::low;
    case v1::NORMAL: return Priority::normal;
    case v1::HIGH: return Priority::high;
    case v1::CRITICAL: return Priority::critical;
    default: throw invalid_input("priority is {}, expected 0 to 4", static_cast<int>(priority));
  }
}

v1::AwaitProofResponse::Status status_of(JobState state) {
  switch (state) {
    case JobState::completed: return v1::AwaitProofResponse::COMPLETED;
    case JobState::failed: return v1::AwaitProofResponse::FAILED;
    case JobState::cancelled: return v1::AwaitProofResponse::CANCELLED;
    case JobState::timed_out: return v1::AwaitProofResponse::TIMEOUT;
    default: return v1::AwaitProofResponse::UNKNOWN;
  }
}

v1::JobState state_message(JobState state) {
  switch (state) {
    case JobState::queued: return v1::JOB_QUEUED;
    case JobState::running: return v1::JOB_RUNNING;
    case JobState::completed: return v1::JOB_COMPLETED;
    case JobState::failed: return v1::JOB_FAILED;
    case JobState::cancelled: return v1::JOB_CANCELLED;
    case JobState::timed_out: return v1::JOB_TIMED_OUT;
  }
  return v1::JOB_STATE_UNSPECIFIED;
}

/// The wire's numbers are the engine's plus one: 0 stands for "not said".
v1::ProofKind kind_message(Kind kind) { return static_cast<v1::ProofKind>(static_cast<int>(kind) + 1); }
v1::Priority priority_message(Priority priority) { return static_cast<v1::Priority>(static_cast<int>(priority) + 1); }

u64 milliseconds(std::chrono::milliseconds time) { return static_cast<u64>(time.count()); }

grpc::StatusCode status_code(Code code) {
  switch (code) {
    case Code::invalid_input: return grpc::StatusCode::INVALID_ARGUMENT;
    case Code::not_found: return grpc::StatusCode::NOT_FOUND;
    case Code::resource_exhausted: return grpc::StatusCode::RESOURCE_EXHAUSTED;
    case Code::cancelled: return grpc::StatusCode::CANCELLED;
    case Code::deadline: return grpc::StatusCode::DEADLINE_EXCEEDED;
    case Code::device_lost:
    case Code::unavailable: return grpc::StatusCode::UNAVAILABLE;
    case Code::internal: return grpc::StatusCode::INTERNAL;
  }
  return grpc::StatusCode::UNKNOWN;
}

std::string description_of(const engine::DeviceView& view) {
  const auto& [name, description] = view.device;
  const bool is_lost = view.state == engine::DeviceLanes::State::lost;
  return fmt::format("{}{}{}{}", name, description.empty() ? "" : ": ", description, is_lost ? ", lost" : "");
}

void add_device(v1::GetStatusResponse& message, const engine::EngineSnapshot& snapshot, u32 number) {
  const auto& view = snapshot.devices[number];
  auto& gpu = *message.add_gpus();
  gpu.set_ordinal(ordinal_of(view.device, number));
  gpu.set_name(description_of(view));
  gpu.set_vram_total_bytes(view.reserved_bytes);
  gpu.set_vram_free_bytes(view.free_bytes);
  const auto busy = std::find_if(snapshot.workers.begin(), snapshot.workers.end(), [number](const auto& worker) {
    return worker.device == number && !worker.job.empty();
  });
  if (busy == snapshot.workers.end()) return;
  gpu.set_current_job_id(busy->job);
  for (const auto& job : snapshot.running)
    if (job.id == busy->job) gpu.set_current_proof_kind(std::string(name(job.kind)));
}

void add_key(v1::GetStatusResponse& message, const keys::KeyStatus& key, const groth16::Device& device) {
  auto& srs = *message.add_loaded_srs();
  srs.set_circuit_id(key.circuit_id);
  srs.set_tier(v1::SRSStatus::HOT);
  srs.set_size_bytes(key.bytes);
  srs.set_ref_count(key.references);
  srs.set_device(device.name);
}

/// A key that is on no device.
void add_file(v1::GetStatusResponse& message, const keys::KeyFileStatus& file) {
  using Tier = keys::KeyFileStatus::Tier;
  if (file.tier == Tier::hot) return;
  auto& srs = *message.add_loaded_srs();
  srs.set_circuit_id(file.circuit_id);
  srs.set_tier(file.tier == Tier::warm ? v1::SRSStatus::WARM : v1::SRSStatus::COLD);
  srs.set_size_bytes(file.bytes);
}

}  // namespace

v1::SubmitProofRequest request_message(engine::ProofInput&& input, const std::string& request_id) {
  v1::SubmitProofRequest message;
  message.set_request_id(request_id);
  message.set_proof_kind(kind_message(input.kind));
  message.set_sector_size(input.sector_size);
  message.set_registered_proof(input.registered_proof);
  message.set_vanilla_proof(std::move(input.vanilla_proof));
  for (auto& proof : input.vanilla_proofs) message.add_vanilla_proofs(std::move(proof));
  message.set_sector_number(input.sector_number);
  message.set_miner_id(input.miner_id);
  message.set_randomness(std::move(input.randomness));
  message.set_partition_index(input.partition_index);
  message.set_comm_r_old(std::move(input.comm_r_old));
  message.set_comm_r_new(std::move(input.comm_r_new));
  message.set_comm_d_new(std::move(input.comm_d_new));
  return message;
}

engine::ProofRequest take_request(v1::SubmitProofRequest&& message) {
  engine::ProofRequest request;
  request.request_id = message.request_id();
  auto& input = request.input;
  input.kind = kind_of(message.proof_kind());
  request.priority = priority_of(message.priority(), input.kind);
  input.sector_size = message.sector_size();
  input.registered_proof = message.registered_proof();
  input.vanilla_proof = std::move(*message.mutable_vanilla_proof());
  for (auto& proof : *message.mutable_vanilla_proofs()) input.vanilla_proofs.push_back(std::move(proof));
  input.sector_number = message.sector_number();
  input.miner_id = message.miner_id();
  input.randomness = message.randomness();
  input.partition_index = message.partition_index();
  input.comm_r_old = message.comm_r_old();
  input.comm_r_new = message.comm_r_new();
  input.comm_d_new = message.comm_d_new();
  return request;
}

void fill(v1::AwaitProofResponse& message, const engine::JobId& id, const engine::JobResult& result) {
  message.set_job_id(id);
  message.set_status(status_of(result.state));
  message.set_proof(result.proof.data(), result.proof.size());
  message.set_error_message(result.message);
  message.set_queue_wait_ms(milliseconds(result.timings.queued));
  message.set_srs_load_ms(milliseconds(result.timings.key_load));
  message.set_synthesis_ms(milliseconds(result.timings.synthesis));
  message.set_gpu_compute_ms(milliseconds(result.timings.device));
  message.set_total_ms(milliseconds(result.timings.total));
}

void fill_failure(v1::AwaitProofResponse& message, const Error& error) {
  message.set_status(v1::AwaitProofResponse::FAILED);
  message.set_error_message(error.what());
}

v1::GetStatusResponse status_message(const engine::EngineSnapshot& snapshot,
                                     const std::vector<keys::KeyFileStatus>& files) {
  v1::GetStatusResponse message;
  for (u32 i = 0; i < snapshot.devices.size(); ++i) {
    if (snapshot.devices[i].state == engine::DeviceLanes::State::spare) continue;
    add_device(message, snapshot, i);
    for (const auto& key : snapshot.devices[i].keys) add_key(message, key, snapshot.devices[i].device);
  }
  for (const auto& file : files) add_file(message, file);
  u64 completed = 0, failed = 0;
  for (const auto& counts : snapshot.kinds) {
    auto& queue = *message.add_queues();
    queue.set_proof_kind(std::string(name(counts.kind)));
    queue.set_pending(counts.pending);
    queue.set_in_progress(counts.running);
    completed += counts.completed;
    failed += counts.failed;
  }
  message.set_total_proofs_completed(completed);
  message.set_total_proofs_failed(failed);
  message.set_uptime_seconds(static_cast<u64>(snapshot.uptime.count()));
  return message;
}

v1::JobStatus status_message(const engine::JobView& job) {
  v1::JobStatus message;
  message.set_job_id(job.id);
  message.set_request_id(job.request_id);
  message.set_proof_kind(kind_message(job.kind));
  message.set_priority(priority_message(job.priority));
  message.set_state(state_message(job.state));
  message.set_stage(job.stage);
  message.set_partitions_done(static_cast<u32>(job.partitions_done));
  message.set_partitions(static_cast<u32>(job.partitions));
  message.set_percent(job.percent());
  message.set_queued_ms(milliseconds(job.queued));
  message.set_running_ms(milliseconds(job.ran));
  message.set_error_message(job.message);
  return message;
}

std::optional<std::chrono::milliseconds> retry_after(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const engine::QueueFull& full) {
    return full.retry_after();
  } catch (...) {
    return std::nullopt;
  }
}

grpc::Status rpc_status(const Error& error) { return {status_code(error.code()), error.what()}; }

grpc::Status rpc_status(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const Error& known) {
    return rpc_status(known);
  } catch (const std::bad_alloc&) {
    return {grpc::StatusCode::RESOURCE_EXHAUSTED, "the memory of this machine does not suffice"};
  } catch (const std::exception& other) {
    return {grpc::StatusCode::INTERNAL, other.what()};
  }
}

}  // namespace cuzk::server
