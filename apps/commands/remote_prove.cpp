#include "commands/remote_prove.h"

#include "base/error.h"

#ifdef CUZK_SERVER
#include "commands/server_connection.h"
#include "server/client.h"
#include "server/messages.h"
#endif

namespace cuzk::apps {

#ifdef CUZK_SERVER

namespace {

double ms(u64 value) { return static_cast<double>(value); }

}  // namespace

FinishedProof prove_remotely(const ConnectionOptions& daemon, engine::ProofInput input, const std::string& request_id) {
  const auto answer =
      server::Client(connection_of(daemon)).prove(server::request_message(std::move(input), request_id));
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
