#include "groth16/fallback_prover.h"

#include <utility>

#include "base/error.h"
#include "base/log.h"

namespace cuzk::groth16 {

/// A key of the prover that read it, and what reading it again takes.
class FallbackProver::Key final : public ProvingKey {
 public:
  Key(std::filesystem::path params, KeyCheck check, const Prover& owner, std::shared_ptr<const ProvingKey> key)
      : params_(std::move(params)), check_(check), owner_(&owner), key_(std::move(key)) {}

  const VerifyingKey& verifying_key() const override { return key_->verifying_key(); }
  std::size_t memory() const override { return key_->memory(); }

  /// In the form of this prover: read now where another one read it first.
  std::shared_ptr<const ProvingKey> of(Prover& prover, const Control& control) const {
    if (owner_ == &prover) return key_;
    const std::lock_guard lock(mutex_);
    if (again_ == nullptr) again_ = prover.load_key(params_, check_, control);
    return again_;
  }

 private:
  const std::filesystem::path params_;
  const KeyCheck check_;
  const Prover* const owner_;
  const std::shared_ptr<const ProvingKey> key_;  // also for what refers to its verifying key
  mutable std::mutex mutex_;
  mutable std::shared_ptr<const ProvingKey> again_;
};

FallbackProver::FallbackProver(std::unique_ptr<Prover> first, Maker make_other)
    : first_(std::move(first)), make_other_(std::move(make_other)), current_(first_.get()) {}

Prover& FallbackProver::current() const { return *current_.load(); }

Prover& FallbackProver::replace(const Error& loss) {
  const std::lock_guard lock(mutex_);
  if (other_ == nullptr) {
    other_ = make_other_();
    logger(LogModule::cuda)
        .error("{} is lost ({}): proofs go on with {}", first_->device().name, loss.what(), other_->device().name);
    current_ = other_.get();
  }
  return *other_;
}

template <class Work>
auto FallbackProver::with_prover(Work&& work) {
  Prover& prover = current();
  try {
    return work(prover);
  } catch (const Error& error) {
    if (error.code() != Code::device_lost || &prover != first_.get()) throw;
    return work(replace(error));
  }
}

Device FallbackProver::device() const {
  const Prover& prover = current();
  Device device = prover.device();
  if (&prover != first_.get())
    device.description += fmt::format(", in place of {}, which is lost", first_->device().name);
  return device;
}

std::size_t FallbackProver::key_memory(const std::filesystem::path& params) const {
  return current().key_memory(params);
}

std::size_t FallbackProver::proof_memory(const r1cs::Circuit& circuit) const { return current().proof_memory(circuit); }

std::size_t FallbackProver::witness_memory(const r1cs::Witness& witness) const {
  return current().witness_memory(witness);
}

std::shared_ptr<const ProvingKey> FallbackProver::load_key(const std::filesystem::path& params, KeyCheck check,
                                                           const Control& control) {
  return with_prover([&](Prover& prover) -> std::shared_ptr<const ProvingKey> {
    return std::make_shared<Key>(params, check, prover, prover.load_key(params, check, control));
  });
}

Proof FallbackProver::prove(const Statement& statement, const Blinding& blinding, const Control& control) {
  const auto* const key = dynamic_cast<const Key*>(&statement.key);
  if (key == nullptr) throw invalid_input("the proving key was loaded by another prover");
  return with_prover([&](Prover& prover) {
    const auto own = key->of(prover, control);
    return prover.prove({*own, statement.circuit, statement.witness}, blinding, control);
  });
}

}  // namespace cuzk::groth16
