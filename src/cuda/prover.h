/// The prover that keeps keys on a CUDA device and makes whole proofs there.
///
/// Proofs equal those of groth16::CpuProver to the bit. The host hands over the packed witness; everything else is the
/// device's: evaluation of a, b, c from the circuit's templates, six transforms, the products with the key. The products
/// that need no quotient are made on a second stream where there is memory for both.
#pragma once

#include <memory>
#include <mutex>

#include "base/thread_pool.h"
#include "cuda/arena.h"
#include "cuda/key_loader.h"
#include "cuda/proof_lane.h"
#include "groth16/prover.h"
#include "groth16/setup.h"

namespace cuzk::cuda {

class CudaProver final : public groth16::Prover {
 public:
  struct Options {
    int device = 0;          ///< CUDA's ordinal
    std::size_t memory = 0;  ///< bytes of the device to reserve, at most what is free now; 0: nine tenths of that
    MemoryPlan plan = {};    ///< for tests
  };

  /// Reserves the memory. Throws Error{not_found} when there is no such device, resource_exhausted. The pool, which
  /// outlives the prover, reads keys and copies witnesses.
  CudaProver(const Options& options, ThreadPool& pool);

  groth16::Device device() const override;
  std::optional<groth16::DeviceMemory> memory() const override;
  std::size_t key_memory(const std::filesystem::path& params) const override;
  std::size_t proof_memory(const r1cs::Circuit& circuit) const override;
  /// A key that leaves no room for proofs on the device stays in the host's memory, pinned, and is streamed by each proof.
  std::shared_ptr<const groth16::ProvingKey> load_key(const std::filesystem::path& params, groth16::KeyCheck check,
                                                      const groth16::Control& control) override;
  /// A key of the circuit's exact shape, made on the device and never written: for measurements (fresh_key.h).
  std::shared_ptr<const groth16::ProvingKey> make_key(const r1cs::Circuit& circuit, const groth16::ToxicWaste& waste,
                                                      const groth16::Control& control);
  /// One at a time, others wait; but circuits of up to 2^19 constraints, which are WinningPoSt's, have a lane and 12 GiB of
  /// their own where 100 GiB or more are reserved, and their work goes first.
  groth16::Proof prove(const groth16::Statement& statement, const groth16::Blinding& blinding,
                       const groth16::Control& control) override;

  /// Where the key is streamed: as many as find room for their quotients, up to four.
  u32 proofs_together(const r1cs::Circuit& circuit) const override;
  /// One that finds no memory beside the others is made once more, alone.
  std::vector<groth16::ProofOrError> prove_together(const groth16::ProvingKey& key, const r1cs::Circuit& circuit,
                                                    std::span<const groth16::ProofOfMany> proofs) override;

  std::vector<groth16::MemoryRegion> memory_regions() const override;
  Arena::Usage memory_usage() const { return arena_.usage(); }

 private:
  std::size_t ordinary_memory() const;
  std::size_t budget() const;
  bool is_urgent(unsigned log2_domain) const;
  ProofLane& lane_of(unsigned log2_domain);
  bool must_stream(const groth16::KeyLengths& lengths) const;
  template <class Work>
  auto with_memory_for_key(unsigned log2_domain, Work&& work);
  std::unique_ptr<KeyLoader::Room> room_for_key(const groth16::KeyLengths& lengths);
  std::shared_ptr<const groth16::ProvingKey> read_to_host(const std::filesystem::path& params, groth16::KeyCheck check,
                                                          const groth16::Control& control);

  ThreadPool& pool_;
  const MemoryPlan plan_;
  const DeviceProperties properties_;
  CudaMalloc memory_;
  Arena arena_;
  std::unique_ptr<Arena> urgent_memory_;  ///< null where there is none to spare
  std::mutex loading_;                    ///< the loader and its stream; taken before that of a lane
  Stream loading_stream_;
  std::unique_ptr<KeyLoader> loader_;  ///< made for the first key
  std::unique_ptr<ProofLane> lane_;
  std::unique_ptr<ProofLane> urgent_lane_;  ///< with its memory; its streams go first
};

}  // namespace cuzk::cuda
