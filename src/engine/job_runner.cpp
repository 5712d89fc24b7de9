#include "engine/job_runner.h"

#include <algorithm>
#include <future>
#include <new>
#include <utility>

#include "engine/satisfaction.h"

namespace cuzk::engine {

namespace {

/// Everything of one job while it runs.
class Run {
 public:
  Run(const StatementDecoder& decoder, keys::KeyStore& keys, groth16::Prover& prover, std::stop_token stop,
      Trace& trace, JobProgress& progress)
      : decoder_(decoder), keys_(keys), prover_(prover), stop_(std::move(stop)), trace_(trace), progress_(progress) {}

  std::vector<u8> prove(ProofRequest request) {
    const PartitionBlinding blinding = std::move(request.blinding);
    statement_ = decode(std::move(request));
    progress_.start(statement_->partitions());
    auto next = start_witness(0);  // while the circuit is compiled and the key is read
    circuit_ = compile();
    key_ = load_key();
    std::vector<groth16::Proof> proofs;
    for (std::size_t partition = 0; partition < statement_->partitions(); ++partition) {
      const r1cs::Witness witness = next.get();
      if (partition + 1 < statement_->partitions()) next = start_witness(partition + 1);
      proofs.push_back(prove_partition(partition, witness, blinding));
      progress_.partition_done();
    }
    return groth16::proofs_to_bytes(proofs);
  }

 private:
  std::unique_ptr<Statement> decode(ProofRequest request) {
    control().check("job");
    progress_.enter("reading the request");
    const Span span(&trace_, "decode");
    auto statement = decoder_.decode(request.input);
    if (statement->partitions() == 0) throw invalid_input("request: it has no partitions");
    return statement;
  }

  std::shared_ptr<const r1cs::Circuit> compile() {
    control().check("job");
    progress_.enter("compiling circuit " + statement_->circuit_id());
    const Span span(&trace_, "circuit");
    return statement_->circuit();
  }

  keys::KeyStore::Key load_key() {
    control().check("job");
    progress_.enter("reading the key of " + statement_->circuit_id());
    const Span span(&trace_, "key");
    auto told = control();
    told.on_progress = [this](const ProgressUpdate& update) { progress_.update(update); };
    return keys_.load(statement_->circuit_id(), told).key;
  }

  /// The future's end waits for the thread, so that nothing of the job outlives it.
  std::future<r1cs::Witness> start_witness(std::size_t partition) {
    return std::async(std::launch::async, [this, partition] {
      control().check("job");
      const Span span(&trace_, "witness", static_cast<u32>(partition));
      r1cs::Witness witness = statement_->witness(partition);
      check_inputs(partition, witness);
      return witness;
    });
  }

  /// The circuit computes its inputs from the private values, the verifier from the request: a difference now would be
  /// a proof that nobody accepts later.
  void check_inputs(std::size_t partition, const r1cs::Witness& witness) const {
    const auto expected = statement_->public_inputs(partition);
    const auto found = witness.inputs().subspan(1);
    const auto [e, f] = std::mismatch(expected.begin(), expected.end(), found.begin(), found.end());
    if (e == expected.end() && f == found.end()) return;
    throw invalid_input("partition {}: public input {} of {} is not what the request's commitments and challenges say",
                        partition, e - expected.begin(), expected.size());
  }

  groth16::Proof prove_partition(std::size_t partition, const r1cs::Witness& witness,
                                 const PartitionBlinding& blinding) {
    control().check("job");
    progress_.enter(fmt::format("proving partition {} of {}", partition + 1, statement_->partitions()));
    const auto item = static_cast<u32>(partition);
    const Span span(&trace_, "prove", item);
    auto told = control();
    told.item = item;
    const groth16::BlindingSource source = [&] { return blinding ? blinding(partition) : groth16::Blinding::fresh(); };
    try {
      return groth16::prove_verified(prover_, {*key_, *circuit_, witness}, told, source).proof;
    } catch (const Error& error) {
      if (error.code() == Code::internal) blame_witness(partition, witness);
      throw;
    }
  }

  /// A proof did not verify: when the witness is the reason, says so and where.
  void blame_witness(std::size_t partition, const r1cs::Witness& witness) const {
    if (const auto constraint = first_unsatisfied(*circuit_, witness, ThreadPool::shared())) {
      throw invalid_input("partition {}: the request does not satisfy the circuit {}: constraint {} of {} ({}) fails",
                          partition, statement_->circuit_id(), *constraint, circuit_->constraints(),
                          circuit_->path(*constraint));
    }
  }

  groth16::Control control() const {
    groth16::Control result;
    result.stop = stop_;
    result.trace = &trace_;
    return result;
  }

  const StatementDecoder& decoder_;
  keys::KeyStore& keys_;
  groth16::Prover& prover_;
  const std::stop_token stop_;
  Trace& trace_;
  JobProgress& progress_;

  std::unique_ptr<Statement> statement_;
  std::shared_ptr<const r1cs::Circuit> circuit_;
  keys::KeyStore::Key key_;
};

JobTimings timings_of(const Trace& trace) {
  JobTimings result;
  result.stages_ms = trace.totals_ms();
  for (const auto& [stage, ms] : result.stages_ms) {
    const std::chrono::milliseconds rounded(static_cast<i64>(ms + 0.5));
    if (stage == "decode" || stage == "circuit" || stage == "witness") result.synthesis += rounded;
    if (stage == "key") result.key_load += rounded;
    if (stage == "prove") result.device += rounded;
  }
  return result;
}

/// The exception that is being handled, as a result.
JobResult failure(const std::stop_token& stop) {
  JobResult result;
  try {
    throw;
  } catch (const Error& error) {
    result.code = error.code();
    result.message = error.what();
  } catch (const std::bad_alloc&) {
    result.code = Code::resource_exhausted;
    result.message = "the memory of this machine does not suffice for the job";
  } catch (const std::exception& error) {
    result.message = error.what();
  } catch (...) {
    result.message = "an exception that is no std::exception";
  }
  if (stop.stop_requested()) result.state = JobState::cancelled;
  return result;
}

}  // namespace

JobResult JobRunner::run(ProofRequest request, std::stop_token stop, JobProgress& progress) const noexcept {
  Trace trace;
  JobResult result;
  try {
    result.proof = Run(decoder_, keys_, prover_, stop, trace, progress).prove(std::move(request));
    result.state = JobState::completed;
  } catch (...) {
    result = failure(stop);
  }
  result.timings = timings_of(trace);
  return result;
}

}  // namespace cuzk::engine
