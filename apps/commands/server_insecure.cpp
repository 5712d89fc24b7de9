#include "commands/server_insecure.h"

#include <condition_variable>
#include <mutex>
#include <utility>

#include "commands/server_fixed_blinding.h"
#include "common/forwarding_prover.h"
#include "engine/statements/toy_statement.h"
#include "groth16/cpu_prover.h"

namespace cuzk::apps {

#ifdef CUZK_INSECURE

namespace {

class ToyOrReal : public engine::StatementDecoder {
 public:
  ToyOrReal(std::unique_ptr<engine::StatementDecoder> real, engine::CircuitCatalog& circuits)
      : real_(std::move(real)), toys_(circuits) {}

  void check_offered(engine::Kind kind) const override { real_->check_offered(kind); }
  std::vector<engine::CircuitStatus> circuits() const override { return real_->circuits(); }
  std::unique_ptr<engine::Statement> decode(const engine::ProofInput& input,
                                            const groth16::Control& control = {}) const override {
    const bool is_real = input.vanilla_proof.empty() || input.vanilla_proof.front() == '{';
    return is_real ? real_->decode(input, control) : toys_.decode(input, control);
  }

 private:
  std::unique_ptr<engine::StatementDecoder> real_;
  engine::ToyDecoder toys_;
};

class SlowProver : public ForwardingProver {
 public:
  SlowProver(std::unique_ptr<groth16::Prover> prover, std::chrono::milliseconds delay)
      : ForwardingProver(std::move(prover)), delay_(delay) {}

  groth16::Proof prove(const groth16::Statement& statement, const groth16::Blinding& blinding,
                       const groth16::Control& control) override {
    wait(control.stop);
    control.check("delayed proof");
    return ForwardingProver::prove(statement, blinding, control);
  }

 private:
  void wait(const std::stop_token& stop) {
    std::mutex mutex;
    std::unique_lock lock(mutex);
    std::condition_variable_any().wait_for(lock, stop, delay_, [] { return false; });
  }

  const std::chrono::milliseconds delay_;
};

/// What a load test proves with: beside its delay it takes no time, and whoever gets a proof knows whose it is.
class ReplayingProver : public ForwardingProver {
 public:
  using ForwardingProver::ForwardingProver;

  groth16::Proof prove(const groth16::Statement& statement, const groth16::Blinding& blinding,
                       const groth16::Control& control) override {
    std::vector<std::array<u8, Fr::kBytes>> inputs;
    for (const Fr& input : statement.witness.inputs()) inputs.push_back(input.to_bytes());
    const std::lock_guard lock(mutex_);
    if (const auto made = made_.find(inputs); made != made_.end()) return made->second;
    return made_.try_emplace(inputs, ForwardingProver::prove(statement, blinding, control)).first->second;
  }

 private:
  std::mutex mutex_;
  std::map<std::vector<std::array<u8, Fr::kBytes>>, groth16::Proof> made_;
};

/// One of several devices, as far as the daemon can tell.
class NumberedProcessor : public ForwardingProver {
 public:
  explicit NumberedProcessor(unsigned number)
      : ForwardingProver(std::make_unique<groth16::CpuProver>(ThreadPool::shared())), number_(number) {}

  groth16::Device device() const override {
    return {fmt::format("cpu:{}", number_), ForwardingProver::device().description};
  }

 private:
  const unsigned number_;
};

std::unique_ptr<groth16::Prover> with_insecurities(const InsecureServe& options,
                                                   std::unique_ptr<groth16::Prover> prover) {
  prover = with_fixed_blinding(options.fixed_rs, std::move(prover));
  if (options.replay) prover = std::make_unique<ReplayingProver>(std::move(prover));
  if (options.prove_delay == 0) return prover;
  return std::make_unique<SlowProver>(std::move(prover), std::chrono::milliseconds(options.prove_delay));
}

}  // namespace

void add_insecure_options(CLI::App& command, InsecureServe& options) {
  command.add_flag("--insecure-toys", options.toys)->group("");
  command.add_option("--insecure-prove-delay", options.prove_delay)->group("");
  command.add_flag("--insecure-replay", options.replay)->group("");
  command.add_option("--insecure-fixed-rs", options.fixed_rs)->group("");
  command.add_option("--insecure-processors", options.processors)->group("");
}

std::unique_ptr<engine::StatementDecoder> with_toys(const InsecureServe& options,
                                                    std::unique_ptr<engine::StatementDecoder> decoder,
                                                    engine::CircuitCatalog& circuits) {
  if (!options.toys) return decoder;
  return std::make_unique<ToyOrReal>(std::move(decoder), circuits);
}

LastingProvers with_insecurities(const InsecureServe& options, LastingProvers provers) {
  if (options.processors > 1) {
    provers.devices.clear();
    for (unsigned i = 0; i < options.processors; ++i) provers.devices.push_back(std::make_unique<NumberedProcessor>(i));
  }
  for (auto& prover : provers.devices) prover = with_insecurities(options, std::move(prover));
  if (provers.spare != nullptr) provers.spare = with_insecurities(options, std::move(provers.spare));
  return provers;
}

#else

void add_insecure_options(CLI::App&, InsecureServe&) {}

std::unique_ptr<engine::StatementDecoder> with_toys(const InsecureServe&,
                                                    std::unique_ptr<engine::StatementDecoder> decoder,
                                                    engine::CircuitCatalog&) {
  return decoder;
}

LastingProvers with_insecurities(const InsecureServe&, LastingProvers provers) { return provers; }

#endif

}  // namespace cuzk::apps
