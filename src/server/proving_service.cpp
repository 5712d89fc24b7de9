#include "server/proving_service.h"

#include <chrono>
#include <optional>
#include <utility>

#include "base/failpoint.h"
#include "base/log.h"
#include "server/await_call.h"
#include "server/key_tiers.h"
#include "server/messages.h"
#include "server/submit_call.h"
#include "server/watch_call.h"

namespace cuzk::server {

using grpc::CallbackServerContext;
using grpc::ServerUnaryReactor;

namespace {

spdlog::logger& log() { return logger(LogModule::rpc); }

ServerUnaryReactor* finish(CallbackServerContext* context, const grpc::Status& status) {
  auto* reactor = context->DefaultReactor();
  reactor->Finish(status);
  return reactor;
}

/// The status of what went wrong. A client may wait as long as the metadata says: gRPC's own retries do.
grpc::Status refused(CallbackServerContext* context, const std::exception_ptr& error) {
  if (const auto later = retry_after(error))
    context->AddTrailingMetadata("grpc-retry-pushback-ms", std::to_string(later->count()));
  return rpc_status(error);
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
    return finish(context, refused(context, std::current_exception()));
  }
}

/// A call that is answered by a thread of its own kind: work(stop), whose exception is the status.
template <class Work>
ServerUnaryReactor* answer_from(TaskThread& thread, CallbackServerContext* context, Work&& work) {
  auto* reactor = context->DefaultReactor();
  thread.add([reactor, work = std::forward<Work>(work)](std::stop_token stop) {
    grpc::Status status;
    try {
      CUZK_FAILPOINT("rpc.work");
      work(std::move(stop));
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
std::optional<engine::Clock::time_point> deadline_of(const CallbackServerContext& context) {
  const auto left = context.deadline() - std::chrono::system_clock::now();
  if (left > std::chrono::hours(24 * 365)) return std::nullopt;
  return engine::Clock::now() + left + kForgetAfterDeadline;
}

/// "porep 1000/2", never anything of the input itself.
std::string describe(const engine::ProofRequest& request) {
  return fmt::format("{} '{}' of miner {}, sector {}", name(request.input.kind), request.request_id,
                     request.input.miner_id, request.input.sector_number);
}

engine::Engine::Accepted submit(engine::Engine& engine, engine::ProofRequest request,
                                engine::Engine::Recorded recorded = {}) {
  const std::string what = describe(request);
  try {
    auto accepted = engine.submit(std::move(request), std::move(recorded));
    if (accepted.how == engine::Engine::Accepted::How::joined) {
      log().info("job {}: joined by {}", accepted.id, what);
    } else {
      log().info("job {}: {}, {} before it", accepted.id, what, accepted.queue_position);
    }
    return accepted;
  } catch (const Error& error) {
    log().warn("refused {}: {}", what, error.what());
    throw;
  }
}

/// A stream that ends at once with the status of what went wrong.
class RefusedWatch final : public grpc::ServerWriteReactor<v1::JobStatus> {
 public:
  explicit RefusedWatch(const grpc::Status& status) { Finish(status); }
  void OnDone() override { delete this; }
};

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

v1::PreloadSrsResponse load_key(engine::Engine& engine, const std::string& circuit_id, std::stop_token stop) {
  const auto begin = std::chrono::steady_clock::now();
  const auto source = engine.preload(circuit_id, engine::Engine::Copies::all, std::move(stop));
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
    return SubmitCall::start(*context, *response, [&](engine::Engine::Recorded recorded) {
      return submit(engine_, take_request(take(*request)), std::move(recorded));
    });
  });
}

ServerUnaryReactor* ProvingService::AwaitProof(CallbackServerContext* context, const v1::AwaitProofRequest* request,
                                               v1::AwaitProofResponse* response) {
  return answer_later(context, [&] {
    return AwaitCall::start(engine_, calls_, *context, request->job_id(), request->timeout_ms(), *response);
  });
}

ServerUnaryReactor* ProvingService::Prove(CallbackServerContext* context, const v1::ProveRequest* request,
                                          v1::ProveResponse* response) {
  return answer_later(context, [&]() -> ServerUnaryReactor* {
    engine::JobId id;
    try {
      auto asked = take_request(take(request->submit()));
      asked.deadline = deadline_of(*context);
      id = submit(engine_, std::move(asked)).id;
    } catch (const Error& error) {
      if (error.code() != Code::invalid_input) throw;
      fill_failure(*response->mutable_result(), error);
      return finish(context, grpc::Status::OK);
    }
    return AwaitCall::start(engine_, calls_, *context, id, 0, *response->mutable_result());
  });
}

ServerUnaryReactor* ProvingService::CancelProof(CallbackServerContext* context, const v1::CancelProofRequest* request,
                                                v1::CancelProofResponse* response) {
  return answer(context, [&] {
    const auto before = engine_.cancel(request->job_id());
    log().info("job {}: cancelled by a client while {}", request->job_id(), name(before));
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
  return answer_from(loader_, context, [this, response, circuit_id = request->circuit_id()](std::stop_token stop) {
    *response = load_key(engine_, circuit_id, std::move(stop));
  });
}

ServerUnaryReactor* ProvingService::EvictSRS(CallbackServerContext* context, const v1::EvictSrsRequest* request,
                                             v1::EvictSrsResponse* response) {
  return answer_from(evictor_, context, [this, response, circuit_id = request->circuit_id()](std::stop_token stop) {
    const auto freed = engine_.evict(circuit_id, std::move(stop));
    response->set_was_loaded(freed.has_value());
    response->set_freed_bytes(freed.value_or(0));
  });
}

grpc::ServerWriteReactor<v1::JobStatus>* ProvingService::WatchProof(CallbackServerContext*,
                                                                    const v1::WatchProofRequest* request) {
  try {
    return WatchCall::start(engine_, calls_, request->job_id());
  } catch (...) {
    return new RefusedWatch(rpc_status(std::current_exception()));
  }
}

ServerUnaryReactor* ProvingService::ListJobs(CallbackServerContext* context, const v1::ListJobsRequest* request,
                                             v1::ListJobsResponse* response) {
  return answer(context, [&] {
    const std::size_t limit = request->limit() == 0 ? kJobsListed : request->limit();
    const auto which = request->include_finished() ? engine::Engine::Which::all : engine::Engine::Which::unfinished;
    const auto jobs = engine_.list(which);
    for (const auto& job : std::span(jobs).first(std::min(limit, jobs.size()))) {
      *response->add_jobs() = status_message(job);
    }
    response->set_left_out(jobs.size() - static_cast<std::size_t>(response->jobs_size()));
  });
}

ServerUnaryReactor* ProvingService::Drain(CallbackServerContext* context, const v1::DrainRequest* request,
                                          v1::DrainResponse* response) {
  return answer(context, [&] {
    const auto mode = request->resume() ? engine::Mode::accepting : engine::Mode::draining;
    log().warn("{} by a client", request->resume() ? "new jobs are taken again, told" : "no more jobs are taken, told");
    response->set_unfinished(static_cast<u32>(engine_.set_mode(mode)));
  });
}

ServerUnaryReactor* ProvingService::GetTrace(CallbackServerContext* context, const v1::GetTraceRequest* request,
                                             v1::GetTraceResponse* response) {
  return answer(context, [&] { response->set_chrome_trace_json(chrome_trace_json(engine_.trace(request->job_id()))); });
}

}  // namespace cuzk::server
