#include "server/proving_service.h"

#include <chrono>
#include <optional>
#include <utility>

#include "base/failpoint.h"
#include "server/await_call.h"
#include "server/key_tiers.h"
#include "server/messages.h"
#include "server/server_log.h"
#include "server/submit_call.h"
#include "server/watch_call.h"

namespace cuzk::server {

using grpc::CallbackServerContext;
using grpc::ServerUnaryReactor;

namespace {

ServerUnaryReactor* finish(CallbackServerContext* context, const grpc::Status& status) {
  auto* reactor = context->DefaultReactor();
  reactor->Finish(status);
  return reactor;
}

/// A call that is answered at once: runs `work`, whose exception is the status.
template <class Work>
ServerUnaryReactor* answer(CallbackServerContext* context, Work&& work) {
  grpc::Status status;
  try {
    CUZK_FAILPOINT("rpc.answer");
    work();
  } catch (...) {
    status = rpc_status(std::current_exception());
  }
  return finish(context, status);
}

/// A call that is answered later by the reactor that `start` gives.
template <class Start>
ServerUnaryReactor* answer_later(CallbackServerContext* context, Start&& start) {
  try {
    CUZK_FAILPOINT("rpc.start");
    return start();
  } catch (...) {
    return finish(context, refused(*context, std::current_exception()));
  }
}

/// A call that is answered by a thread of its own kind: work(stop), whose exception is the status.
template <class Work>
ServerUnaryReactor* answer_from(TaskThread& thread, CallbackServerContext* context, Work&& work) {
  auto* reactor = context->DefaultReactor();
  thread.add([reactor, work = std::forward<Work>(work)](const std::stop_token& stop) {
    grpc::Status status;
    try {
      CUZK_FAILPOINT("rpc.work");
      work(stop);
    } catch (...) {
      status = rpc_status(std::current_exception());
    }
    reactor->Finish(status);
  });
  return reactor;
}

/// gRPC shows a call's message as const but made it for this call alone. Its bytes are moved, not copied: an input of
/// 600 MB would else stay twice in memory for as long as the job lasts.
v1::SubmitProofRequest&& take(const v1::SubmitProofRequest& message) {
  return std::move(const_cast<v1::SubmitProofRequest&>(message));
}

constexpr std::size_t kJobsListed = 1000;

/// Callers ask again after their deadline and join the job; after so long nobody does.
constexpr auto kForgetAfterDeadline = std::chrono::minutes(30);

/// Until when a job is wanted; nothing where the caller set no deadline.
std::optional<engine::Clock::time_point> job_deadline(const CallbackServerContext& context) {
  const auto deadline = deadline_of(context);
  return deadline ? std::optional(*deadline + kForgetAfterDeadline) : std::nullopt;
}

/// A call whose answer the desk tells: `ask(told)` asks it, `take` fills in what it told.
template <class T, class Ask, class Take>
ServerUnaryReactor* answer_told(CallbackServerContext* context, Ask&& ask, Take&& take) {
  auto* const reactor = context->DefaultReactor();
  const auto told = [reactor, take = std::forward<Take>(take)](const farm::Outcome<T>& outcome) {
    grpc::Status status;
    try {
      take(outcome.value());
    } catch (...) {
      status = rpc_status(std::current_exception());
    }
    reactor->Finish(status);
  };
  try {
    ask(told);
  } catch (...) {
    reactor->Finish(rpc_status(std::current_exception()));
  }
  return reactor;
}

u64 milliseconds_since(std::chrono::steady_clock::time_point begin) {
  const auto time = std::chrono::steady_clock::now() - begin;
  return static_cast<u64>(std::chrono::duration_cast<std::chrono::milliseconds>(time).count());
}

/// Which devices may prove a job: "cuda:0,cuda:1".
std::string devices_of(const engine::Engine& engine) {
  std::vector<std::string> names;
  for (const auto& view : engine.devices())
    if (view.state == engine::DeviceLanes::State::active) names.push_back(view.device.name);
  return fmt::format("{}", fmt::join(names, ","));
}

v1::PreloadSrsResponse load_key(engine::Engine& engine, const std::string& circuit_id, const std::stop_token& stop) {
  const auto begin = std::chrono::steady_clock::now();
  const auto source = engine.preload(circuit_id, engine::Engine::Copies::all, stop);
  v1::PreloadSrsResponse response;
  response.set_already_loaded(source == keys::KeyStore::Loaded::Source::store);
  response.set_load_time_ms(milliseconds_since(begin));
  return response;
}

}  // namespace

ServerUnaryReactor* ProvingService::SubmitProof(CallbackServerContext* context, const v1::SubmitProofRequest* request,
                                                v1::SubmitProofResponse* response) {
  return answer_later(context, [&] {
    response->set_assigned_gpu(devices_of(engine_));
    return submit_call(desk_, *context, take_request(take(*request)), *response);
  });
}

ServerUnaryReactor* ProvingService::AwaitProof(CallbackServerContext* context, const v1::AwaitProofRequest* request,
                                               v1::AwaitProofResponse* response) {
  return answer_later(context, [&] {
    return AwaitCall::start(desk_, calls_, *context, request->job_id(), request->timeout_ms(), *response);
  });
}

ServerUnaryReactor* ProvingService::Prove(CallbackServerContext* context, const v1::ProveRequest* request,
                                          v1::ProveResponse* response) {
  return answer_later(context, [&]() -> ServerUnaryReactor* {
    engine::ProofRequest asked;
    try {
      asked = take_request(take(request->submit()));
    } catch (const Error& error) {
      fill_failure(*response->mutable_result(), error);
      return finish(context, grpc::Status::OK);
    }
    asked.deadline = job_deadline(*context);
    return AwaitCall::start(desk_, calls_, *context, std::move(asked), *response->mutable_result());
  });
}

ServerUnaryReactor* ProvingService::CancelProof(CallbackServerContext* context, const v1::CancelProofRequest* request,
                                                v1::CancelProofResponse* response) {
  const auto& id = request->job_id();
  return answer_told<engine::JobState>(
      context, [&](const auto& told) { desk_.cancel(id, told); },
      [id, response](engine::JobState before) {
        rpc_log().info("job {}: cancelled by a client while {}", id, name(before));
        response->set_was_running(before == engine::JobState::running);
      });
}

ServerUnaryReactor* ProvingService::GetStatus(CallbackServerContext* context, const v1::GetStatusRequest*,
                                              v1::GetStatusResponse* response) {
  return answer(context, [&] {
    const auto snapshot = engine_.snapshot();
    *response = status_message(snapshot, key_tiers(snapshot, keys_));
  });
}

ServerUnaryReactor* ProvingService::GetMetrics(CallbackServerContext* context, const v1::GetMetricsRequest*,
                                               v1::GetMetricsResponse* response) {
  return answer(context, [&] { response->set_prometheus_text(metrics_.text(engine_.snapshot())); });
}

ServerUnaryReactor* ProvingService::PreloadSRS(CallbackServerContext* context, const v1::PreloadSrsRequest* request,
                                               v1::PreloadSrsResponse* response) {
  return answer_from(loader_, context,
                     [this, response, circuit_id = request->circuit_id()](const std::stop_token& stop) {
                       *response = load_key(engine_, circuit_id, stop);
                     });
}

ServerUnaryReactor* ProvingService::EvictSRS(CallbackServerContext* context, const v1::EvictSrsRequest* request,
                                             v1::EvictSrsResponse* response) {
  return answer_from(evictor_, context,
                     [this, response, circuit_id = request->circuit_id()](const std::stop_token& stop) {
                       const auto freed = engine_.evict(circuit_id, stop);
                       response->set_was_loaded(freed.has_value());
                       response->set_freed_bytes(freed.value_or(0));
                     });
}

grpc::ServerWriteReactor<v1::JobStatus>* ProvingService::WatchProof(CallbackServerContext*,
                                                                    const v1::WatchProofRequest* request) {
  return WatchCall::start(desk_, calls_, request->job_id());
}

ServerUnaryReactor* ProvingService::ListJobs(CallbackServerContext* context, const v1::ListJobsRequest* request,
                                             v1::ListJobsResponse* response) {
  const std::size_t limit = request->limit() == 0 ? kJobsListed : request->limit();
  const auto which = request->include_finished() ? farm::Listed::all : farm::Listed::unfinished;
  return answer_told<farm::JobDesk::Jobs>(
      context, [&](const auto& told) { desk_.list(which, limit, told); },
      [response](const farm::JobDesk::Jobs& listed) {
        for (const auto& job : listed.jobs) *response->add_jobs() = status_message(job);
        response->set_left_out(listed.left_out);
      });
}

ServerUnaryReactor* ProvingService::Drain(CallbackServerContext* context, const v1::DrainRequest* request,
                                          v1::DrainResponse* response) {
  return answer(context, [&] {
    const auto mode = request->resume() ? engine::Mode::accepting : engine::Mode::draining;
    rpc_log().warn("{} by a client",
                   request->resume() ? "new jobs are taken again, told" : "no more jobs are taken, told");
    response->set_unfinished(static_cast<u32>(engine_.set_mode(mode)));
  });
}

ServerUnaryReactor* ProvingService::GetTrace(CallbackServerContext* context, const v1::GetTraceRequest* request,
                                             v1::GetTraceResponse* response) {
  return answer(context, [&] { response->set_chrome_trace_json(chrome_trace_json(desk_.trace(request->job_id()))); });
}

}  // namespace cuzk::server
