/// Whether a request can be proved at all, found out natively in milliseconds where the circuit would take gigabytes.
///
/// It checks what the circuit enforces and what the verifier derives, nothing else: the replica id, the challenges, the
/// parents' places, labels, column hashes, the encoding, and each Merkle path that is used. So whatever passes gives a
/// satisfied witness with the right public inputs, and whatever would give one passes.
#pragma once

#include "base/thread_pool.h"
#include "filecoin/path_root.h"
#include "filecoin/vanilla_porep.h"

namespace cuzk::filecoin {

/// Throws Error{invalid_input} naming partition, challenge, layer and node of the first fault. Cost: about 175 Poseidon
/// hashes for each challenge of a 32 GiB sector, those of a partition together.
void check_porep(const VanillaPorep& porep, u64 miner_id, ThreadPool& pool, Hashing hashing = Hashing::together);

/// All partitions; the replica id is taken to be checked.
void check_porep_partitions(const VanillaPorep& porep, ThreadPool& pool, Hashing hashing = Hashing::together);

/// Of one partition alone; the replica id is taken to be checked.
void check_porep_partition(const VanillaPorep& porep, u32 partition, Hashing hashing = Hashing::together);

/// Only the replica id.
void check_replica_id(const VanillaPorep& porep, u64 miner_id);

}  // namespace cuzk::filecoin
