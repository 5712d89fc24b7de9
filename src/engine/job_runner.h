/// One job's way: decode, circuit, key, then its partitions, the witness of the next one made while this one is proved.
#pragma once

#include <stop_token>

#include "engine/job.h"
#include "engine/job_progress.h"
#include "engine/statement.h"
#include "groth16/prover.h"
#include "keys/key_store.h"

namespace cuzk::engine {

/// Holds no state of a job: several threads may run jobs with one runner. What it refers to must outlive it.
class JobRunner {
 public:
  JobRunner(const StatementDecoder& decoder, keys::KeyStore& keys, groth16::Prover& prover)
      : decoder_(decoder), keys_(keys), prover_(prover) {}

  /// Never throws: whatever goes wrong is the result's state and message. Stops soon after `stop` is asked to. The
  /// input is freed as soon as it is decoded. timings.queued and timings.total are the caller's to fill in.
  JobResult run(ProofRequest request, std::stop_token stop, JobProgress& progress) const noexcept;

 private:
  const StatementDecoder& decoder_;
  keys::KeyStore& keys_;
  groth16::Prover& prover_;
};

}  // namespace cuzk::engine
