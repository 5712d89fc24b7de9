#include "engine/job_work.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <exception>
#include <new>
#include <utility>
#include <variant>

#include "engine/satisfaction.h"
#include "engine/statement_part.h"

namespace cuzk::engine {

JobWork::JobWork(const StatementDecoder& decoder, ProofInput input, std::optional<PartitionRange> only, Trace& trace,
                 JobProgress& progress, std::stop_token stop)
    : trace_(trace), progress_(progress) {
  {
    progress_.enter("reading the request");
    const Span span(&trace_, "decode");
    groth16::Control control;
    control.stop = stop;
    control.trace = &trace_;
    statement_ = decoder.decode(std::exchange(input, {}), control);
    if (statement_->partitions() == 0) throw invalid_input("request: it has no partitions");
    if (only) statement_ = part_of(std::move(statement_), *only);
  }
  progress_.start(statement_->partitions());
  progress_.enter("compiling circuit " + circuit_id());
  const Span span(&trace_, "circuit");
  circuit_ = statement_->circuit(std::move(stop));
}

r1cs::Witness JobWork::witness(std::size_t partition, std::stop_token stop) const {
  const Span span(&trace_, "witness", static_cast<u32>(partition));
  r1cs::Witness witness = statement_->witness(partition, std::move(stop));
  check_inputs(partition, witness);
  return witness;
}

/// The circuit computes its inputs from the private values, the verifier from the request: a difference now would be a
/// proof that nobody accepts later.
void JobWork::check_inputs(std::size_t partition, const r1cs::Witness& witness) const {
  const auto expected = statement_->public_inputs(partition);
  const auto found = witness.inputs().subspan(1);
  const auto [e, f] = std::mismatch(expected.begin(), expected.end(), found.begin(), found.end());
  if (e == expected.end() && f == found.end()) return;
  throw invalid_input("partition {}: public input {} of {} is not what the request's commitments and challenges say",
                      partition, e - expected.begin(), expected.size());
}

groth16::VerifiedProof JobWork::prove(std::size_t partition, groth16::Prover& prover, const groth16::ProvingKey& key,
                                      const r1cs::Witness& witness, const PartitionBlinding& blinding,
                                      std::stop_token stop) const {
  progress_.enter(fmt::format("proving partition {} of {}", partition + 1, partitions()));
  const Span span(&trace_, "prove", static_cast<u32>(partition));
  const auto control = control_of(partition, std::move(stop));
  try {
    return groth16::prove_verified(prover, {key, *circuit_, witness}, control, source_of(partition, blinding));
  } catch (const Error& error) {
    explain(error, partition, witness);
    throw;
  }
}

std::vector<groth16::ProofOrError> JobWork::prove_together(groth16::Prover& prover, const groth16::ProvingKey& key,
                                                           const std::vector<Proving>& parts) {
  std::vector<groth16::ProofOfMany> proofs;
  std::deque<Span> spans;
  for (const auto& [work, partition, witness, blinding, stop] : parts) {
    work.progress_.enter(fmt::format("proving {} partitions together", parts.size()));
    spans.emplace_back(&work.trace_, "prove", static_cast<u32>(partition));
    proofs.push_back({witness, source_of(partition, blinding), work.control_of(partition, stop)});
  }
  return groth16::prove_verified_together(prover, key, parts.front().work.circuit(), proofs);
}

groth16::Proof JobWork::proof_of(std::size_t partition, const r1cs::Witness& witness,
                                 const groth16::ProofOrError& made) const {
  if (const auto* proof = std::get_if<groth16::Proof>(&made)) return *proof;
  try {
    std::rethrow_exception(std::get<std::exception_ptr>(made));
  } catch (const Error& error) {
    explain(error, partition, witness);
    throw;
  }
}

groth16::Control JobWork::control_of(std::size_t partition, std::stop_token stop) const {
  groth16::Control control;
  control.stop = std::move(stop);
  control.trace = &trace_;
  control.item = static_cast<u32>(partition);
  return control;
}

groth16::BlindingSource JobWork::source_of(std::size_t partition, const PartitionBlinding& blinding) {
  return [partition, &blinding] { return blinding ? blinding(partition) : groth16::Blinding::fresh(); };
}

/// Throws what says more than `error` where the request is to blame.
void JobWork::explain(const Error& error, std::size_t partition, const r1cs::Witness& witness) const {
  if (error.code() == Code::internal) blame_witness(partition, witness);
}

/// A proof did not verify: when the witness is the reason, says so and where.
void JobWork::blame_witness(std::size_t partition, const r1cs::Witness& witness) const {
  if (const auto constraint = first_unsatisfied(*circuit_, witness, ThreadPool::shared())) {
    throw invalid_input("partition {}: the request does not satisfy the circuit {}: constraint {} of {} ({}) fails",
                        partition, circuit_id(), *constraint, circuit_->constraints(), circuit_->path(*constraint));
  }
}

JobTimings timings_of(const Trace& trace) {
  JobTimings result;
  result.stages_ms = trace.totals_ms();
  for (const auto& [stage, ms] : result.stages_ms) {
    const std::chrono::milliseconds rounded(std::llround(ms));
    if (stage == "decode" || stage == "circuit" || stage == "witness") result.synthesis += rounded;
    if (stage == "key") result.key_load += rounded;
    if (stage == "prove") result.device += rounded;
  }
  return result;
}

JobResult result_of(const Failure& failure) {
  JobResult result;
  result.state = JobState::failed;
  result.code = failure.code;
  result.message = failure.message;
  return result;
}

Failure current_failure() {
  try {
    throw;
  } catch (const Error& error) {
    return {error.code(), error.what()};
  } catch (const std::bad_alloc&) {
    return {Code::resource_exhausted, "the memory of this machine does not suffice for the job"};
  } catch (const std::exception& error) {
    return {Code::internal, error.what()};
  } catch (...) {
    return {Code::internal, "an exception that is no std::exception"};
  }
}

}  // namespace cuzk::engine
