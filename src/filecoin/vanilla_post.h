/// A request for a proof of spacetime: decoding, native checks, public inputs, the circuit's inputs.
#pragma once

#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "base/thread_pool.h"
#include "filecoin/bincode_merkle.h"
#include "filecoin/circuits/post_input.h"
#include "filecoin/path_root.h"
#include "filecoin/post_proof.h"

namespace cuzk::filecoin {

/// One sector's vanilla proof (FallbackPoStSectorProof).
struct VanillaPostSector {
  u64 number = 0;
  Fr comm_r, comm_c, comm_r_last;
  std::vector<MerkleOpening> openings;  ///< one for each challenge
};

struct VanillaPost {
  PostProof proof;
  Node randomness{};        ///< a canonical field element
  u32 first_partition = 0;  ///< number of the request's first partition in the deadline; API 1.0 counts from it
  std::vector<VanillaPostSector> sectors;  ///< as requested, not padded

  u32 partitions() const;

  /// The challenged leaves of one of the sectors, in the order of its openings.
  std::vector<u64> challenges(std::size_t sector) const;

  /// Of one partition, ONE not among them: for each sector comm_r and its challenges; the last sector is repeated up to
  /// the partition's size, the one of winning is turned into 66 of one challenge.
  std::vector<Fr> public_inputs(u32 partition) const;

  /// What the circuit takes, padded in the same way. It points into this object.
  PostInput input(u32 partition) const;
};

/// What a request says beside the proofs.
struct PostContext {
  PostProof proof;
  std::span<const u8> randomness;  ///< 32 bytes
  u32 first_partition = 0;
};

/// Reads bincode, one string a sector. Throws Error{invalid_input} naming the proof and the field: what "cannot be
/// read"; counts that are not the proof's; values that are no field elements. Looks at `stop` before each sector and
/// throws Error{cancelled} when it is asked to stop.
VanillaPost decode_post(const PostContext& context, std::span<const std::string> proofs,
                        const std::stop_token& stop = {});

/// Whether the request can be proved: the challenges are those that the verifier derives, every path leads to
/// comm_r_last, and comm_r is its hash with comm_c. Throws Error{invalid_input} naming sector and challenge of the first
/// fault. Cost: 100 Poseidon hashes for a sector of a 32 GiB window, those of eight sectors together.
void check_post(const VanillaPost& post, ThreadPool& pool, Hashing hashing = Hashing::together);

}  // namespace cuzk::filecoin
