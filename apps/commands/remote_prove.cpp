#include "commands/remote_prove.h"

#include "base/error.h"

#ifdef CUZK_SERVER
#include "commands/server_connection.h"
#include "server/client.h"
#endif

namespace cuzk::apps {

#ifdef CUZK_SERVER

namespace {

v1::SubmitProofRequest message_of(engine::ProofInput input, const std::string& request_id) {
  v1::SubmitProofRequest message;
  message.set_request_id(request_id);
  message.set_proof_kind(static_cast<v1::ProofKind>(static_cast<int>(input.kind) + 1));
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

double ms(u64 value) { return static_cast<double>(value); }

}  // namespace

FinishedProof prove_remotely(const ConnectionOptions& daemon, engine::ProofInput input, const std::string& request_id) {
  const auto answer = server::Client(connection_of(daemon)).prove(message_of(std::move(input), request_id));
  if (answer.status() != v1::AwaitProofResponse::COMPLETED) {
    throw Error(Code::internal,
                fmt::format("daemon at {}: job {}: {}: {}", daemon.connect, answer.job_id(),
                            v1::AwaitProofResponse::Status_Name(answer.status()), answer.error_message()));
  }
  return {{answer.proof().begin(), answer.proof().end()},
          {{"queue_wait", ms(answer.queue_wait_ms())},
           {"srs_load", ms(answer.srs_load_ms())},
           {"synthesis", ms(answer.synthesis_ms())},
           {"gpu_compute", ms(answer.gpu_compute_ms())},
           {"total", ms(answer.total_ms())}}};
}

#else

FinishedProof prove_remotely(const ConnectionOptions&, engine::ProofInput, const std::string&) {
  throw Error(Code::unavailable, "--connect: this build has no gRPC (CUZK_SERVER=OFF)");
}

#endif

}  // namespace cuzk::apps
