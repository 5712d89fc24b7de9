/// What a job has to do, in pieces that several threads may do at once: one witness and one proof for each partition.
#pragma once

#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/spans.h"
#include "engine/job_progress.h"
#include "engine/partition_range.h"
#include "engine/request.h"
#include "engine/statement.h"
#include "groth16/prover.h"

namespace cuzk::engine {

/// Threads: any number may call any function, each with a partition of its own. The trace and the progress that it is
/// given outlive it and get what it does.
class JobWork {
 public:
  /// Reads and checks the input, which is freed then, and compiles the circuit. `only`: of these partitions, else of all.
  /// Throws what the decoder throws, and Error{invalid_input} where the request has no such partitions.
  JobWork(const StatementDecoder& decoder, ProofInput input, std::optional<PartitionRange> only, Trace& trace,
          JobProgress& progress, std::stop_token stop = {});

  std::string circuit_id() const { return statement_->circuit_id(); }
  std::size_t partitions() const { return statement_->partitions(); }
  const r1cs::Circuit& circuit() const { return *circuit_; }

  /// Throws Error{invalid_input} where the input is such that no witness of the request's public inputs exists.
  r1cs::Witness witness(std::size_t partition, std::stop_token stop = {}) const;

  /// A proof that verifies. Throws as groth16::prove_verified; where the witness is to blame, Error{invalid_input} names
  /// the constraint.
  groth16::VerifiedProof prove(std::size_t partition, groth16::Prover& prover, const groth16::ProvingKey& key,
                               const r1cs::Witness& witness, const PartitionBlinding& blinding,
                               std::stop_token stop) const;

  /// A partition that is proved together with others, perhaps of other jobs.
  struct Proving {
    const JobWork& work;
    std::size_t partition;
    const r1cs::Witness& witness;
    const PartitionBlinding& blinding;
    std::stop_token stop;
  };

  /// All of one circuit. What each comes to is for proof_of.
  static std::vector<groth16::ProofOrError> prove_together(groth16::Prover& prover, const groth16::ProvingKey& key,
                                                           const std::vector<Proving>& parts);

  /// A proof that verifies; throws as prove().
  groth16::Proof proof_of(std::size_t partition, const r1cs::Witness& witness, const groth16::ProofOrError& made) const;

 private:
  groth16::Control control_of(std::size_t partition, std::stop_token stop) const;
  static groth16::BlindingSource source_of(std::size_t partition, const PartitionBlinding& blinding);
  void explain(const Error& error, std::size_t partition, const r1cs::Witness& witness) const;
  void check_inputs(std::size_t partition, const r1cs::Witness& witness) const;
  void blame_witness(std::size_t partition, const r1cs::Witness& witness) const;

  Trace& trace_;
  JobProgress& progress_;
  std::unique_ptr<Statement> statement_;
  std::shared_ptr<const r1cs::Circuit> circuit_;
};

/// The stages of a trace as answers show them. timings.queued and timings.total are the caller's to fill in.
JobTimings timings_of(const Trace& trace);

/// Why a job failed.
struct Failure {
  Code code = Code::internal;
  std::string message;
};

/// The end of a job that failed for this reason.
JobResult result_of(const Failure& failure);

/// The exception that is being handled.
Failure current_failure();

}  // namespace cuzk::engine
