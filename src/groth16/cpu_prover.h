/// The prover that needs no device but the processor.
#pragma once

#include "base/thread_pool.h"
#include "groth16/prover.h"

namespace cuzk::groth16 {

/// Holds keys in host memory, in huge pages where the system has them. Proofs may run side by side; they share the
/// threads of the pool, which outlives the prover. Memory of a proof: three buffers of the domain's size and the
/// scratch of the largest product; 0.4 GB for porep-2k beside its key of 1.1 GB. A stop is seen every few milliseconds
/// of every thread's time.
class CpuProver : public Prover {
 public:
  explicit CpuProver(ThreadPool& pool) : pool_(pool) {}

  Device device() const override;
  std::size_t key_memory(const std::filesystem::path& params) const override;
  std::size_t proof_memory(const r1cs::Circuit& circuit) const override;
  /// Hashes are written out.
  std::size_t witness_memory(const r1cs::Witness& witness) const override;
  std::shared_ptr<const ProvingKey> load_key(const std::filesystem::path& params, KeyCheck check,
                                             const Control& control) override;
  Proof prove(const Statement& statement, const Blinding& blinding, const Control& control) override;

 private:
  ThreadPool& pool_;
};

}  // namespace cuzk::groth16
