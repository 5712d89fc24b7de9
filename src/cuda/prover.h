/// The prover that keeps keys on a CUDA device and makes whole proofs there.
///
/// Proofs equal those of groth16::CpuProver to the bit. The host hands over the packed witness; everything else is the
/// device's: evaluation of a, b, c from the circuit's templates, six transforms, the products with the key. The products
/// that need no quotient are made on a second stream where there is memory for both.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "base/thread_pool.h"
#include "cuda/arena.h"
#include "cuda/key_loader.h"
#include "cuda/ntt.h"
#include "cuda/queue.h"
#include "cuda/staging.h"
#include "groth16/proof_sums.h"
#include "groth16/prover.h"
#include "groth16/setup.h"

namespace cuzk::cuda {

class CudaKey;
class DeviceCircuit;
class DeviceWitness;

class CudaProver final : public groth16::Prover {
 public:
  struct Options {
    int device = 0;          ///< CUDA's ordinal
    std::size_t memory = 0;  ///< bytes of the device to reserve; 0: nine tenths of what is free now
  };

  /// Reserves the memory. Throws Error{not_found} when there is no such device, resource_exhausted. The pool, which
  /// outlives the prover, reads keys and copies witnesses.
  CudaProver(const Options& options, ThreadPool& pool);

  groth16::Device device() const override;
  std::size_t key_memory(const std::filesystem::path& params) const override;
  std::size_t proof_memory(const r1cs::Circuit& circuit) const override;
  std::shared_ptr<const groth16::ProvingKey> load_key(const std::filesystem::path& params, groth16::KeyCheck check,
                                                      const groth16::Control& control) override;
  /// A key of the circuit's exact shape, made on the device and never written: for measurements (fresh_key.h).
  std::shared_ptr<const groth16::ProvingKey> make_key(const r1cs::Circuit& circuit, const groth16::ToxicWaste& waste,
                                                      const groth16::Control& control);
  /// One at a time: others wait.
  groth16::Proof prove(const groth16::Statement& statement, const groth16::Blinding& blinding,
                       const groth16::Control& control) override;

  Arena::Usage memory_usage() const { return arena_.usage(); }

 private:
  class SideLane;
  unsigned side_lanes(std::size_t memory_of_one, unsigned log2_domain) const;
  groth16::ProofSums sums_of(const CudaKey& key, const DeviceCircuit& circuit, const DeviceWitness& witness,
                             const groth16::Control& control);
  G1 sum_quotient(const CudaKey& key, const DeviceCircuit& circuit, const DeviceWitness& witness,
                  const groth16::Control& control);
  DeviceBuffer<Fr::Integer> quotient_of(const DeviceCircuit& circuit, const DeviceWitness& witness,
                                        const groth16::Control& control);
  NttDomain& domain(unsigned log2_size);
  std::unique_ptr<KeyLoader::Room> room_for_key(const groth16::KeyLengths& lengths);
  /// By way of the host's memory, where subgroups are checked.
  std::shared_ptr<const groth16::ProvingKey> upload_key(const std::filesystem::path& params, groth16::KeyCheck check,
                                                        const groth16::Control& control);

  ThreadPool& pool_;
  const DeviceProperties properties_;
  CudaMalloc memory_;
  Arena arena_;
  Stream stream_;
  Queue queue_;
  std::vector<Stream> side_streams_;  ///< for the sums of the variables, beside those of the quotient
  std::mutex mutex_;                  ///< the streams and what is enqueued on them
  std::mutex loading_;                ///< the loader and its stream; taken before mutex_
  Stream loading_stream_;
  std::unique_ptr<Staging> staging_;
  std::unique_ptr<KeyLoader> loader_;      ///< made for the first key
  std::map<unsigned, NttDomain> domains_;  ///< by the logarithm of the size: those that were needed so far
};

}  // namespace cuzk::cuda
