/// What the daemon counts, in the text format of Prometheus.
///
/// The names that existing dashboards read: cuzk_proofs_completed_total, cuzk_proofs_failed_total, cuzk_uptime_seconds,
/// cuzk_queue_depth, cuzk_proofs_completed{proof_kind}, cuzk_proofs_failed{proof_kind},
/// cuzk_proof_duration_seconds_{count,sum}{proof_kind}, cuzk_running_jobs, cuzk_gpu_workers. Ours besides:
///   cuzk_stage_seconds{proof_kind, stage}: a histogram; stages queue, key_load, witness, device, verify, total
///   cuzk_jobs_pending{proof_kind}, cuzk_jobs_running{proof_kind}, cuzk_jobs_cancelled_total{proof_kind}
///   cuzk_key_bytes{circuit_id, device}: keys on devices; cuzk_resident_bytes: memory of the process
#pragma once

#include <memory>
#include <string>

#include "engine/engine.h"

namespace cuzk::server {

/// Threads: any may call any function.
class Metrics {
 public:
  Metrics();
  ~Metrics();
  Metrics(const Metrics&) = delete;
  Metrics& operator=(const Metrics&) = delete;

  /// Enters the times of a job that has ended. A job that did not complete counts only where it waited.
  void add(engine::Kind kind, const engine::JobResult& result);

  std::string text(const engine::EngineSnapshot& snapshot) const;

 private:
  class Stages;
  std::unique_ptr<Stages> stages_;
};

}  // namespace cuzk::server
