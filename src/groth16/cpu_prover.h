/// The prover that needs no device but the processor.
#pragma once

#include <limits>

#include "base/thread_pool.h"
#include "groth16/prover.h"

namespace cuzk::groth16 {

/// Holds keys in host memory, in huge pages where the system has them; a key that is larger than `largest_key` bytes
/// stays in its file, from which every proof reads it block by block (key_points.h). Proofs may run side by side; they
/// share the threads of the pool, which outlives the prover. Memory of a proof: two buffers of the domain's size and at
/// most 384 MiB. A stop is seen every few milliseconds of every thread's time.
class CpuProver : public Prover {
 public:
  static constexpr std::size_t kAnyKey = std::numeric_limits<std::size_t>::max();

  explicit CpuProver(ThreadPool& pool, std::size_t largest_key = kAnyKey) : pool_(pool), largest_key_(largest_key) {}

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
  std::size_t largest_key_;
};

}  // namespace cuzk::groth16
