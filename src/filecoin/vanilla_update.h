/// A request for a sector update (SnapDeals): decoding, native checks, public inputs, the circuit's inputs.
#pragma once

#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "base/thread_pool.h"
#include "filecoin/bincode_merkle.h"
#include "filecoin/circuits/update_input.h"
#include "filecoin/path_root.h"
#include "filecoin/sector_shape.h"

namespace cuzk::filecoin {

struct VanillaUpdateChallenge {
  MerkleOpening r_old, d_new, r_new;
};

/// One partition's vanilla proof (PartitionProof).
struct VanillaUpdatePartition {
  Fr comm_c;
  std::vector<Fr> apex_leaves;
  std::vector<VanillaUpdateChallenge> challenges;
};

struct VanillaUpdate {
  const SectorShape* shape;  ///< never null
  Fr comm_r_old, comm_d_new, comm_r_new;
  std::vector<VanillaUpdatePartition> partitions;  ///< as many as the size has

  /// Of one partition, ONE not among them.
  std::vector<Fr> public_inputs(u32 partition) const;

  /// What the circuit takes.
  UpdateInput input(u32 partition) const;
};

/// The size of a registered update proof, 0 to 4. Throws Error{invalid_input}.
const SectorShape& update_shape_of(u64 registered_proof);

/// What a request says beside the proofs; commitments are 32 bytes each.
struct UpdateContext {
  const SectorShape& shape;
  std::span<const u8> comm_r_old, comm_d_new, comm_r_new;
};

/// Reads bincode, one string a partition. Throws Error{invalid_input} naming the partition and the field: what "cannot
/// be read"; counts that are not the size's; values that are no field elements. Looks at `stop` before each challenge and
/// throws Error{cancelled} when it is asked to stop.
VanillaUpdate decode_update(const UpdateContext& context, std::span<const std::string> proofs,
                            const std::stop_token& stop = {});

/// Whether the request can be proved. Throws Error{invalid_input} naming partition, challenge and node of the first fault.
/// Cost: 21 Poseidon hashes for a challenge of a 32 GiB sector, those of a partition together.
void check_update(const VanillaUpdate& update, ThreadPool& pool, Hashing hashing = Hashing::together);

/// Of one partition alone.
void check_update_partition(const VanillaUpdate& update, u32 partition, Hashing hashing = Hashing::together);

}  // namespace cuzk::filecoin
