/// A prover that goes on with another one when its device is lost: a GPU that falls off the bus must not stop a provider's
/// proofs, slower as they are on the processor.
///
/// Only Error{device_lost} changes the prover, for good; the proof that met it is made again by the other one, and keys
/// are read again from their files as proofs need them. Every other error goes to the caller. Any thread may call.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>

#include "groth16/prover.h"

namespace cuzk::groth16 {

class FallbackProver final : public Prover {
 public:
  using Maker = std::function<std::unique_ptr<Prover>()>;

  /// `make_other` is called once, when it is needed, and may throw, which then is the error of the proof.
  FallbackProver(std::unique_ptr<Prover> first, Maker make_other);

  /// That of the prover in use; after the loss its description tells of it.
  Device device() const override;
  std::size_t key_memory(const std::filesystem::path& params) const override;
  std::size_t proof_memory(const r1cs::Circuit& circuit) const override;
  std::size_t witness_memory(const r1cs::Witness& witness) const override;
  std::shared_ptr<const ProvingKey> load_key(const std::filesystem::path& params, KeyCheck check,
                                             const Control& control) override;
  /// Keys are those that this prover loaded, before or after the loss.
  Proof prove(const Statement& statement, const Blinding& blinding, const Control& control) override;

 private:
  class Key;

  Prover& current() const;
  /// What `work` does with the prover in use; once more with the other one if the device is lost meanwhile.
  template <class Work>
  auto with_prover(Work&& work);
  /// The other prover, now the one in use.
  Prover& replace(const Error& loss);

  const std::unique_ptr<Prover> first_;
  const Maker make_other_;
  std::mutex mutex_;
  std::unique_ptr<Prover> other_;
  std::atomic<Prover*> current_;
};

}  // namespace cuzk::groth16
