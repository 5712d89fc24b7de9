/// The calls of cuzk.v1.ProvingEngine on a desk of jobs, an engine and a key store. No exception leaves a call: it becomes the
/// call's status, or, for a proof, an answer with status FAILED, which is what existing clients look at.
#pragma once

#include "base/task_thread.h"
#include "cuzk/v1/proving.grpc.pb.h"
#include "engine/engine.h"
#include "farm/job_desk.h"
#include "keys/key_store.h"
#include "server/metrics.h"
#include "server/open_calls.h"

namespace cuzk::server {

class ProvingService final : public v1::ProvingEngine::CallbackService {
 public:
  /// What it is given must outlive it.
  ProvingService(engine::Engine& engine, farm::JobDesk& desk, const keys::KeyStore& keys, const Metrics& metrics)
      : engine_(engine), desk_(desk), keys_(keys), metrics_(metrics) {}

  grpc::ServerUnaryReactor* SubmitProof(grpc::CallbackServerContext* context, const v1::SubmitProofRequest* request,
                                        v1::SubmitProofResponse* response) override;
  grpc::ServerUnaryReactor* AwaitProof(grpc::CallbackServerContext* context, const v1::AwaitProofRequest* request,
                                       v1::AwaitProofResponse* response) override;
  grpc::ServerUnaryReactor* Prove(grpc::CallbackServerContext* context, const v1::ProveRequest* request,
                                  v1::ProveResponse* response) override;
  grpc::ServerUnaryReactor* CancelProof(grpc::CallbackServerContext* context, const v1::CancelProofRequest* request,
                                        v1::CancelProofResponse* response) override;
  grpc::ServerUnaryReactor* GetStatus(grpc::CallbackServerContext* context, const v1::GetStatusRequest* request,
                                      v1::GetStatusResponse* response) override;
  grpc::ServerUnaryReactor* GetMetrics(grpc::CallbackServerContext* context, const v1::GetMetricsRequest* request,
                                       v1::GetMetricsResponse* response) override;
  grpc::ServerUnaryReactor* PreloadSRS(grpc::CallbackServerContext* context, const v1::PreloadSrsRequest* request,
                                       v1::PreloadSrsResponse* response) override;
  grpc::ServerUnaryReactor* EvictSRS(grpc::CallbackServerContext* context, const v1::EvictSrsRequest* request,
                                     v1::EvictSrsResponse* response) override;

  grpc::ServerWriteReactor<v1::JobStatus>* WatchProof(grpc::CallbackServerContext* context,
                                                      const v1::WatchProofRequest* request) override;
  grpc::ServerUnaryReactor* ListJobs(grpc::CallbackServerContext* context, const v1::ListJobsRequest* request,
                                     v1::ListJobsResponse* response) override;
  grpc::ServerUnaryReactor* Drain(grpc::CallbackServerContext* context, const v1::DrainRequest* request,
                                  v1::DrainResponse* response) override;
  grpc::ServerUnaryReactor* GetTrace(grpc::CallbackServerContext* context, const v1::GetTraceRequest* request,
                                     v1::GetTraceResponse* response) override;

  /// Runs what loads keys, in the thread where calls load them: it holds up no other call.
  void load(TaskThread::Task task) { loader_.add(std::move(task)); }

  /// Cancels the loading and the freeing of keys, so that the calls that wait for it can end.
  void stop_loading() {
    loader_.stop();
    evictor_.stop();
  }

  /// Returns when every call that waited for a job is answered, or the time is over.
  void wait_for_answers(std::chrono::milliseconds patience) const { calls_.wait(patience); }

 private:
  engine::Engine& engine_;
  farm::JobDesk& desk_;  // where jobs go
  const keys::KeyStore& keys_;
  const Metrics& metrics_;
  OpenCalls calls_;
  TaskThread loader_, evictor_;  // of keys; last, for they use the others
};

}  // namespace cuzk::server
