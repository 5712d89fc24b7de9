#include "server/submit_call.h"

#include <chrono>
#include <utility>

#include "server/messages.h"
#include "server/server_log.h"

namespace cuzk::server {

namespace {

using farm::Accepted;

/// "porep 1000/2", never anything of the input itself.
std::string describe(const engine::ProofRequest& request) {
  return fmt::format("{} '{}' of miner {}, sector {}", name(request.input.kind), request.request_id,
                     request.input.miner_id, request.input.sector_number);
}

void log_submission(const std::string& what, const farm::Outcome<Accepted>& outcome) {
  try {
    const Accepted& accepted = outcome.value();
    if (accepted.how == Accepted::How::joined) {
      rpc_log().info("job {}: joined by {}", accepted.id, what);
    } else {
      rpc_log().info("job {}: {}, {} before it", accepted.id, what, accepted.queue_position);
    }
  } catch (const std::exception& error) {
    rpc_log().warn("refused {}: {}", what, error.what());
  }
}

}  // namespace

std::optional<engine::Clock::time_point> deadline_of(const grpc::CallbackServerContext& context) {
  const auto left = context.deadline() - std::chrono::system_clock::now();
  if (left >= std::chrono::milliseconds(kLongestTimeout)) return std::nullopt;
  return engine::Clock::now() + left;
}

grpc::Status refused(grpc::CallbackServerContext& context, const std::exception_ptr& error) {
  if (const auto later = retry_after(error))
    context.AddTrailingMetadata("grpc-retry-pushback-ms", std::to_string(later->count()));
  return rpc_status(error);
}

void submit(farm::JobDesk& desk, engine::ProofRequest request, std::optional<engine::Clock::time_point> wanted,
            farm::Told<Accepted> told) {
  const std::string what = describe(request);
  try {
    desk.submit(std::move(request), wanted, [what, told = std::move(told)](const farm::Outcome<Accepted>& outcome) {
      log_submission(what, outcome);
      told(outcome);
    });
  } catch (const Error&) {
    log_submission(what, std::current_exception());
    throw;
  }
}

grpc::ServerUnaryReactor* submit_call(farm::JobDesk& desk, grpc::CallbackServerContext& context,
                                      engine::ProofRequest request, v1::SubmitProofResponse& response) {
  auto* const reactor = context.DefaultReactor();
  try {
    submit(desk, std::move(request), deadline_of(context),
           [&context, &response, reactor](const farm::Outcome<Accepted>& outcome) {
             try {
               response.set_job_id(outcome.value().id);
               response.set_queue_position(static_cast<u32>(outcome.value().queue_position));
               reactor->Finish(grpc::Status::OK);
             } catch (...) {
               reactor->Finish(refused(context, std::current_exception()));
             }
           });
  } catch (...) {
    reactor->Finish(refused(context, std::current_exception()));
  }
  return reactor;
}

}  // namespace cuzk::server
