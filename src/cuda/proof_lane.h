/// One proof after another on a device: streams, memory and tables for it. Several lanes of a device work side by side.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "base/thread_pool.h"
#include "cuda/arena.h"
#include "cuda/key.h"
#include "cuda/memory_plan.h"
#include "cuda/ntt.h"
#include "cuda/queue.h"
#include "cuda/staging.h"
#include "cuda/tile_room.h"
#include "cuda/witness.h"
#include "groth16/proof_sums.h"
#include "groth16/prover.h"

namespace cuzk::cuda {

class ProofLane {
 public:
  struct Priorities {
    StreamPriority quotient, variables;
  };

  /// The device is current. All outlive the lane; the pool copies witnesses.
  ProofLane(const DeviceProperties& device, Arena& memory, const Priorities& priorities, ThreadPool& pool,
            const MemoryPlan& plan = {});

  /// What the quotient and its sum take, in bytes, where memory is no concern.
  static std::size_t quotient_memory(const DeviceProperties& device, unsigned log2_domain);

  /// Any thread may call; others wait. A key is of one lane alone.
  groth16::Proof prove(const CudaKey& key, const groth16::Statement& statement, const groth16::Blinding& blinding,
                       const groth16::Control& control);

  /// Several proofs with a streamed key, each tile of which serves them all: see groth16::Prover. As prove() otherwise.
  std::vector<groth16::ProofOrError> prove_together(const CudaKey& key, const r1cs::Circuit& circuit,
                                                    std::span<const groth16::ProofOfMany> proofs);

  /// Work on the lane's queue between two proofs, when nothing is enqueued there. Waits for it.
  template <class Work>
  auto between_proofs(Work&& work) {
    const std::lock_guard lock(mutex_);
    const IdleAtEnd idle(stream_);
    const DeviceGuard guard(device_.ordinal);
    stream_.synchronize();
    return work(queue_);
  }

  /// Makes the tables of a domain, which stay, unless they are there.
  void prepare(unsigned log2_domain) {
    between_proofs([&](const Queue&) { domain(log2_domain); });
  }

 private:
  class SideLane;
  unsigned side_lanes(std::size_t memory_of_one, unsigned log2_domain) const;
  struct OnDevice;  ///< what a proof is made from
  struct Quotient;  ///< its coefficients
  groth16::ProofSums sums_of(const OnDevice& proof);
  G1 sum_quotient(const OnDevice& proof);
  G1 sum_tile(std::span<const G1Affine> tile, std::size_t first, const Quotient& h, const Tiling& tiling);
  class Together;
  Quotient quotient_of(const OnDevice& proof);
  Quotient quotient_of_host(const OnDevice& proof);
  MemoryPlan::Quotient quotient_plan(unsigned log2_domain) const;
  NttDomain& domain(unsigned log2_size);

  const DeviceProperties& device_;
  Arena& memory_;
  Stream stream_;
  Queue queue_;
  std::vector<Stream> side_streams_;  ///< for the sums of the variables, beside those of the quotient
  ThreadPool& pool_;
  const MemoryPlan plan_;
  Staging staging_;
  PinnedMemory pinned_;
  DeviceBuffer<Fr> parked_;                ///< of the host, once a plan needs it
  std::mutex mutex_;                       ///< the streams and what is enqueued on them
  std::map<unsigned, NttDomain> domains_;  ///< by the logarithm of the size: those that were needed so far
};

}  // namespace cuzk::cuda
