/// A prover that does what another does: the base of those that change one thing.
#pragma once

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "groth16/prover.h"

namespace cuzk::apps {

class ForwardingProver : public groth16::Prover {
 public:
  explicit ForwardingProver(std::unique_ptr<groth16::Prover> prover) : prover_(std::move(prover)) {}

  groth16::Device device() const override { return prover_->device(); }
  std::optional<groth16::DeviceMemory> memory() const override { return prover_->memory(); }
  std::vector<groth16::MemoryRegion> memory_regions() const override { return prover_->memory_regions(); }
  std::size_t key_memory(const std::filesystem::path& params) const override { return prover_->key_memory(params); }
  std::size_t proof_memory(const r1cs::Circuit& circuit) const override { return prover_->proof_memory(circuit); }
  std::size_t witness_memory(const r1cs::Witness& witness) const override { return prover_->witness_memory(witness); }
  std::shared_ptr<const groth16::ProvingKey> load_key(const std::filesystem::path& params, groth16::KeyCheck check,
                                                      const groth16::Control& control) override {
    return prover_->load_key(params, check, control);
  }
  groth16::Proof prove(const groth16::Statement& statement, const groth16::Blinding& blinding,
                       const groth16::Control& control) override {
    return prover_->prove(statement, blinding, control);
  }
  u32 proofs_together(const r1cs::Circuit& circuit) const override { return prover_->proofs_together(circuit); }
  std::vector<groth16::ProofOrError> prove_together(const groth16::ProvingKey& key, const r1cs::Circuit& circuit,
                                                    std::span<const groth16::ProofOfMany> proofs) override {
    return prover_->prove_together(key, circuit, proofs);
  }

 private:
  std::unique_ptr<groth16::Prover> prover_;
};

}  // namespace cuzk::apps
